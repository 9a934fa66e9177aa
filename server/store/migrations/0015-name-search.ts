/**
 * Search by the names and symbols of tokens. Four B-trees answer exact names and beginnings in a constant
 * number of reads, however many names begin alike; tokens that the rules call malicious have their own, so
 * that thousands of impostors of one name never hide the original. `left` keeps an entry below the size limit
 * of a B-tree page.
 *
 * Later words of a name, parts of words and typing mistakes are found by the trigrams of pg_trgm. The
 * extension is trusted, but a server may lack it, or its owner may not allow it: then a GIN index of the
 * beginnings of all words (`name_beginnings`) takes its place. `readNameIndex` in server/store/network/
 * read-search-names.ts tells which one there is.
 */
export const nameSearch = `
create index token_facts_name on token_facts (lower(left(name, 64)) text_pattern_ops)
  where reputation is distinct from 'Malicious';
create index token_facts_symbol on token_facts (lower(left(symbol, 64)) text_pattern_ops)
  where reputation is distinct from 'Malicious';
create index token_facts_malicious_name on token_facts (lower(left(name, 64)) text_pattern_ops)
  where reputation = 'Malicious';
create index token_facts_malicious_symbol on token_facts (lower(left(symbol, 64)) text_pattern_ops)
  where reputation = 'Malicious';

-- The words of a text in lower case, each with its beginnings of 3 to 16 characters: 'Sample Dollar' gives
-- sam, samp, sampl, sample, dol, doll, dolla, dollar.
create function name_beginnings(text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct left(word, size)), '{}')
  from regexp_split_to_table(lower($1), '[^a-z0-9\\u0080-\\U0010ffff]+') word,
    generate_series(least(3, length(word)), least(16, length(word))) size
  where word <> ''
$$;

do $$
begin
  create extension if not exists pg_trgm;
  create index token_facts_trigrams on token_facts
    using gin ((left(coalesce(name, '') || ' ' || coalesce(symbol, ''), 256)) gin_trgm_ops);
exception when others then
  -- Whatever the reason (no such file, no right, another schema), the own index needs none of it.
  create index token_facts_beginnings on token_facts
    using gin (name_beginnings(left(coalesce(name, '') || ' ' || coalesce(symbol, ''), 256)));
end
$$;
`
