-- How the service desk of a project takes and writes mails (src/integrations/service_desk).
alter table projects
  -- The name that its mails are from; null: that of the instance.
  add column service_desk_outgoing_name text,
  -- The end of its address in place of the id of the project; null: the id.
  add column service_desk_project_key text,
  -- Of two projects whose addresses became the same, the one that has its key for longer gets the mails.
  add column service_desk_key_set_at timestamptz,
  -- The issue template of its repository that ends new issues.
  add column service_desk_issue_template text,
  -- Whether new issues are confidential.
  add column service_desk_confidential boolean not null default true;
create index projects_service_desk_project_key on projects (service_desk_project_key) where service_desk_project_key is not null;
