-- Settings of export and import that were kept without effect.

alter table application_settings
  add column project_export_enabled boolean not null default true,
  add column import_sources text[] not null default
    '{github,bitbucket,bitbucket_server,gitlab,fogbugz,git,gitlab_project,gitea,manifest,phabricator}',
  -- MB; 0 for any number.
  add column max_import_size integer not null default 0 check (max_import_size >= 0);

update application_settings
   set project_export_enabled = case when jsonb_typeof(inert -> 'project_export_enabled') = 'boolean' then (inert ->> 'project_export_enabled')::boolean else true end,
       max_import_size = case when jsonb_typeof(inert -> 'max_import_size') = 'number'
         then least(greatest((inert ->> 'max_import_size')::numeric, 0), 20480)::integer else 0 end,
       -- `git` alone is what clients read before, and wrote back.
       import_sources = case
         when jsonb_typeof(inert -> 'import_sources') = 'array' and inert -> 'import_sources' <> '["git"]'
         then array(select source from unnest(import_sources) as source where inert -> 'import_sources' ? source)
         else import_sources end,
       inert = inert - 'project_export_enabled' - 'max_import_size' - 'import_sources';
