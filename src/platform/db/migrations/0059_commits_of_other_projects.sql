-- The project of a commit that a note names, where it is not the one of the thing that the note is about.
alter table notes add column named_project_id bigint references projects on delete cascade;
create index notes_named_project on notes (named_project_id) where named_project_id is not null;
