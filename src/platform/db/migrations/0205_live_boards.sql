-- Open boards follow their issues, of a project or of all projects of a group, and themselves (0152_live_pages, 0185_live_issues).

-- The groups that a page is open for among those of the project: with none, one look at the watches.
create function announce_group_issues(project bigint) returns void language plpgsql as $$
begin
  perform pg_notify('ingot_live', watched.topic)
     from (select distinct w.topic
             from projects p join namespaces n on n.id = p.namespace_id
             cross join lateral unnest(n.traversal_ids) as above(id)
             join live_watches w on w.topic = 'group_issues:' || above.id and w.expires_at > now()
            where p.id = project) as watched;
end $$;

create function announce_issue_in_groups() returns trigger language plpgsql as $$
begin
  perform announce_group_issues(new.project_id);
  return null;
end $$;
create trigger announce_new_issue_in_groups after insert on issues for each row execute function announce_issue_in_groups();
create trigger announce_issue_in_groups after update on issues
  for each row when (old.updated_at is distinct from new.updated_at) execute function announce_issue_in_groups();

-- A change of the order by hand is none of the issue, and a deleted issue has no row.
create function announce_moved_issue() returns trigger language plpgsql as $$
declare
  project bigint := coalesce(new.project_id, old.project_id);
begin
  perform announce_change('issues:' || project);
  perform announce_group_issues(project);
  return null;
end $$;
create trigger announce_moved_issue after update of relative_position on issues
  for each row when (old.relative_position is distinct from new.relative_position) execute function announce_moved_issue();
create trigger announce_deleted_issue after delete on issues for each row execute function announce_moved_issue();

-- A change of a list is one of its board too.
create function announce_board() returns trigger language plpgsql as $$
begin
  perform announce_change('board:' || new.id);
  return null;
end $$;
create trigger announce_board after update on boards for each row execute function announce_board();

-- Boards show first what was closed last.
create index issues_project_closed_state on issues (project_id, closed_at desc, id desc) where state = 'closed';
