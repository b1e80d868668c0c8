-- Large states lie in parts, each encrypted by itself: one of tens of megabytes would hold the process for seconds.
alter table terraform_state_versions alter column content drop not null;

create table terraform_state_parts (
  id bigint generated always as identity primary key,
  version_id bigint not null references terraform_state_versions(id) on delete cascade,
  position integer not null check (position >= 0),
  content text not null,
  constraint terraform_state_parts_position_key unique (version_id, position)
);
