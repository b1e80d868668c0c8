-- A part of one or two letters has no trigram: all shown names of a project are read for it, without their rows.
-- `name` stands in it once more since the planner reads an expression from an index alone where its columns are there, too.
create index packages_shown_names on packages (project_id, lower(name)) include (id, name, package_type)
  where version is not null and status in ('default', 'error');
drop index packages_shown;
