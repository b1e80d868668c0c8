-- Orders that follow from other tables, kept in the issue itself: only an index on a column gives a page of a long list
-- without reading all of it.
alter table issues add column milestone_due_on date, add column label_priority integer;

-- When the milestone of an issue is due.
create function set_milestone_due_on() returns trigger language plpgsql as $$
begin
  new.milestone_due_on := (select due_date from milestones where id = new.milestone_id);
  return new;
end $$;
create trigger set_milestone_due_on before insert or update of milestone_id on issues
  for each row execute function set_milestone_due_on();

create function spread_milestone_due_date() returns trigger language plpgsql as $$
begin
  update issues set milestone_due_on = new.due_date where milestone_id = new.id;
  return null;
end $$;
create trigger spread_milestone_due_date after update of due_date on milestones
  for each row when (old.due_date is distinct from new.due_date) execute function spread_milestone_due_date();

-- The most urgent of the labels of an issue, by their priorities in its project; 0 is the most urgent.
create function set_label_priorities(issue_ids bigint[]) returns void language sql as $$
  update issues set label_priority = urgent.priority
    from (select i.id, min(p.priority) as priority
            from issues i
            left join issue_labels il on il.issue_id = i.id
            left join label_priorities p on p.label_id = il.label_id and p.project_id = i.project_id
           where i.id = any(issue_ids) group by i.id) as urgent
   where issues.id = urgent.id and issues.label_priority is distinct from urgent.priority;
$$;

create function note_issue_labels() returns trigger language plpgsql as $$
begin
  perform set_label_priorities(array(select distinct issue_id from changed));
  return null;
end $$;
create trigger note_new_issue_labels after insert on issue_labels
  referencing new table as changed for each statement execute function note_issue_labels();
create trigger note_old_issue_labels after delete on issue_labels
  referencing old table as changed for each statement execute function note_issue_labels();

create function note_label_priority() returns trigger language plpgsql as $$
declare
  changed label_priorities := coalesce(new, old);
begin
  perform set_label_priorities(array(
    select i.id from issues i join issue_labels il on il.issue_id = i.id
     where il.label_id = changed.label_id and i.project_id = changed.project_id));
  return null;
end $$;
create trigger note_label_priority after insert or update or delete on label_priorities
  for each row execute function note_label_priority();

update issues set milestone_due_on = m.due_date from milestones m where m.id = issues.milestone_id;
select set_label_priorities(array(select distinct issue_id from issue_labels));

-- What is not set stands last both ways, so each way has an index of its own.
create index issues_project_due_date_desc on issues (project_id, due_date desc nulls last, id desc);
create index issues_project_weight_desc on issues (project_id, weight desc nulls last, id desc);
create index issues_project_milestone_due on issues (project_id, milestone_due_on, id);
create index issues_project_milestone_due_desc on issues (project_id, milestone_due_on desc nulls last, id desc);
create index issues_project_label_priority on issues (project_id, label_priority, id);
create index issues_project_label_priority_desc on issues (project_id, label_priority desc nulls last, id desc);
create index issues_project_priority on issues (project_id, milestone_due_on, label_priority, id);
create index issues_project_priority_desc on issues (project_id, milestone_due_on desc nulls last, label_priority desc nulls last, id desc);
create index issues_due_date_desc on issues (due_date desc nulls last, id desc);
create index issues_weight_desc on issues (weight desc nulls last, id desc);
create index issues_milestone_due on issues (milestone_due_on, id);
create index issues_milestone_due_desc on issues (milestone_due_on desc nulls last, id desc);
create index issues_label_priority on issues (label_priority, id);
create index issues_label_priority_desc on issues (label_priority desc nulls last, id desc);
create index issues_priority on issues (milestone_due_on, label_priority, id);
create index issues_priority_desc on issues (milestone_due_on desc nulls last, label_priority desc nulls last, id desc);
