/** What belongs to the installation as a whole. The table of applied migrations is made by migrate.ts. */
export const service = `
-- A value that all processes on the database share: the secret that signs page tokens ('token-secret'), where workers
-- have arrived, and what migrations have left for the end ('after-…').
create table service (
  key text primary key,
  value text not null
);

-- The bytes of a part of the store in one sample; one sample an hour. A part is a chain's id, 'primary', 'service' or
-- 'total'. The growth of the disk is measured from them.
create table disk_samples (
  part text not null,
  ts bigint not null,
  bytes bigint not null,
  primary key (part, ts)
);
`
