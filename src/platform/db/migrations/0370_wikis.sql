-- Pages of wikis, as feeds and hooks name them: what they say is in the git repository of the wiki. A row stays when its page is deleted, since
-- entries of feeds name it.
create table wiki_pages (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  -- The path of the page's file without its ending.
  slug text not null,
  title text not null,
  format text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1)
);
create unique index wiki_pages_project_slug on wiki_pages (project_id, slug) where project_id is not null;
create unique index wiki_pages_namespace_slug on wiki_pages (namespace_id, slug) where namespace_id is not null;

alter table feed_entries drop constraint feed_entries_target_type_check;
alter table feed_entries add constraint feed_entries_target_type_check
  check (target_type in ('issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'wiki'));
