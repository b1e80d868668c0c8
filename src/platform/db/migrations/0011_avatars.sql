-- The images of projects, groups and people. Their `avatar_url` columns hold the address, for the many that show it.
create table avatars (
  id bigint generated always as identity primary key,
  project_id bigint unique references projects on delete cascade,
  namespace_id bigint unique references namespaces on delete cascade,
  user_id bigint unique references users on delete cascade,
  object_id bigint not null references stored_objects,
  filename text not null,
  media_type text not null,
  constraint avatars_one_owner check (num_nonnulls(project_id, namespace_id, user_id) = 1)
);
create index avatars_object on avatars (object_id);
