-- How many closed issues a project has, as it counts those that are open: lists of many projects need not count what is known to be more than
-- they would say.
alter table projects
  add column closed_issues_count integer not null default 0,
  add column confidential_closed_issues_count integer not null default 0;

update projects set closed_issues_count = counted.closed, confidential_closed_issues_count = counted.confidential
  from (select project_id, count(*) as closed, count(*) filter (where confidential) as confidential
          from issues where state = 'closed' group by project_id) as counted
 where projects.id = counted.project_id;
