/** What is between words. Their characters are ASCII letters and digits in lower case, and everything beyond ASCII. */
const other = String.raw`[^a-z0-9\u0080-\U0010ffff]`

/** The rows that names give: distinct words in one order, so that two writers never wait for each other in a circle. */
const addWords = (rows: string): string => `
    insert into name_words (word)
    select distinct word from ${rows}, unnest(words_of_name(name) || words_of_name(symbol)) word
    where word <> '' order by word on conflict do nothing;`

const addTails = (rows: string): string => `
    insert into name_tails (benign, tail, chain, token)
    select distinct reputation is distinct from 'Malicious', tail, chain, token
    from ${rows}, unnest(tails_of_name(name) || tails_of_name(symbol)) tail
    on conflict do nothing;`

const removeTails = (rows: string): string => `
    delete from name_tails t using (
      select reputation is distinct from 'Malicious' as benign, tail, chain, token
      from ${rows}, unnest(tails_of_name(name) || tails_of_name(symbol)) tail) gone
    where t.benign = gone.benign and t.tail = gone.tail and t.chain = gone.chain and t.token = gone.token;`

/**
 * Search by the names and symbols of tokens, at a cost that does not grow with the number of names that match. An index of
 * trigrams over whole names would read the posting lists of each trigram to their end, also when twenty results are
 * wanted: a word of a third of all names took tens of milliseconds.
 *
 * - Four B-trees on token_facts answer exact names and beginnings. Tokens that the rules call malicious have their own, so
 *   that thousands of impostors of one name never hide the original.
 * - `name_tails` answers later words. A text that begins with a later word of a name is a beginning of a tail: one range
 *   of a B-tree, read until there are enough. Benign tokens come first.
 * - `name_words` answers parts of words and typing mistakes. They are looked up among the words, of which there are fewer
 *   than names and which are short, and the words that are found are then looked up as beginnings of names and tails.
 *
 * Triggers on token_facts keep both tables; `keepNames` in server/store/tokens/keep-names.ts does so where the tables are
 * distributed. A word stays when its last name is gone: whatever it finds is compared with the names themselves.
 */
export const tokenNames = `
-- Names and symbols by their beginning: store/network/read-search-names.ts. left keeps an entry below the size limit of a
-- B-tree page.
create index token_facts_name on token_facts (lower(left(name, 64)) text_pattern_ops)
  where reputation is distinct from 'Malicious';
create index token_facts_symbol on token_facts (lower(left(symbol, 64)) text_pattern_ops)
  where reputation is distinct from 'Malicious';
-- The same of malicious tokens: store/network/read-search-names.ts.
create index token_facts_malicious_name on token_facts (lower(left(name, 64)) text_pattern_ops)
  where reputation = 'Malicious';
create index token_facts_malicious_symbol on token_facts (lower(left(symbol, 64)) text_pattern_ops)
  where reputation = 'Malicious';

-- A word of any name, once.
create table name_words (word text collate "C" primary key);

-- A name or symbol from one of its words on, but for the first, which has the B-trees above.
create table name_tails (
  benign boolean not null,
  tail text collate "C" not null,
  chain bigint not null,
  token bytea not null,
  primary key (benign, tail, chain, token)
);

-- The words of a name in lower case; the first is empty if the name begins with something else.
create function words_of_name(text) returns text[] language sql immutable parallel safe as $$
  select regexp_split_to_array(lower(left($1, 256)), '${other}+')
$$;

-- A name from its second, third, … word on, with single spaces: '100% Pure_Gold' gives 'pure gold' and 'gold'. Names
-- are written by strangers: 24 words of 256 characters have tails, each with its first 64 characters.
create function tails_of_name(text) returns text[] language plpgsql immutable parallel safe as $$
declare
  words text[] := words_of_name($1);
  found text[] := '{}';
begin
  for place in 2..least(coalesce(cardinality(words), 0), 25) loop
    if words[place] <> '' then found := found || left(array_to_string(words[place:], ' '), 64); end if;
  end loop;
  return found;
end $$;

create function keep_names() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${addWords('added')} ${addTails('added')}
  elsif tg_op = 'DELETE' then ${removeTails('removed')}
  elsif tg_op = 'TRUNCATE' then delete from name_tails;
  else
    ${removeTails('(select old.*) each')}
    ${addWords('(select new.*) each')}
    ${addTails('(select new.*) each')}
  end if;
  return null;
end $$;
create trigger keep_names_on_insert after insert on token_facts
  referencing new table as added for each statement execute function keep_names();
create trigger keep_names_on_delete after delete on token_facts
  referencing old table as removed for each statement execute function keep_names();
create trigger keep_names_on_truncate after truncate on token_facts
  for each statement execute function keep_names();
-- Tokens are read again often, and hardly ever have another name then.
create trigger keep_names_on_update after update on token_facts for each row
  when ((old.name, old.symbol, old.reputation) is distinct from (new.name, new.symbol, new.reputation))
  execute function keep_names();

do $$
begin
  create extension if not exists pg_trgm;
  -- Parts of words and typing mistakes: store/network/read-search-names.ts. Without a list of pending entries, which every
  -- search would read.
  create index name_words_trigrams on name_words using gin (word gin_trgm_ops) with (fastupdate = off);
exception when others then
  -- The extension is trusted, but a server may lack it, or its owner may not allow it. Mistakes are then found by trying
  -- all spellings, and parts of words are not found.
  null;
end
$$;
`
