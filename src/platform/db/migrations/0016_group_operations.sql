-- What is being deleted: gone for everybody, its rows and repositories still to be removed by the worker. A name is free
-- from then on.
alter table namespaces add column deleting boolean not null default false;
alter table projects
  add column deleting boolean not null default false,
  -- Whether a pipeline of the default branch has reported about security.
  add column has_security_reports boolean not null default false;
drop index namespaces_group_name_key;
create unique index namespaces_group_name_key on namespaces (coalesce(parent_id, 0), name) where kind = 'group' and not deleting;
drop index projects_visible;
create index projects_visible on projects (visibility, namespace_id, id) include (archived, deleting);

-- A template project that is deleted is none any more.
update namespaces set file_template_project_id = null
 where not exists (select from projects where projects.id = namespaces.file_template_project_id);
alter table namespaces add foreign key (file_template_project_id) references projects on delete set null;
create index namespaces_file_template_project on namespaces (file_template_project_id);
