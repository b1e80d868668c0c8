-- A pipeline's name, given by its readers.
alter table pipelines add column name text check (char_length(name) <= 255);

-- A variable whose value no answer shows after it was given.
alter table ci_variables
  add column hidden boolean not null default false,
  add constraint ci_variables_hidden_masked check (masked or not hidden);

-- Pictures of topics.
alter table topics add column avatar_url text;
alter table avatars
  add column topic_id bigint unique references topics on delete cascade,
  drop constraint avatars_one_owner,
  add constraint avatars_one_owner check (num_nonnulls(project_id, namespace_id, user_id, topic_id) = 1);
