-- Commits that are commented on. Git has the commits; a row names one so that notes, to-do items and mentions can belong to it. It keeps the
-- title, which never changes, for lists that show commits of many repositories.
create table commented_commits (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  sha text not null,
  title text not null,
  notes_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint commented_commits_key unique (project_id, sha)
);

alter table notes add column commented_commit_id bigint references commented_commits on delete cascade;
alter table notes drop constraint notes_one_noteable;
alter table notes add constraint notes_one_noteable check (num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id) = 1);
create index notes_commented_commit on notes (commented_commit_id, created_at, id) where commented_commit_id is not null;

alter table todos add column commented_commit_id bigint references commented_commits on delete cascade;
alter table todos drop constraint todos_one_target;
alter table todos add constraint todos_one_target check (num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id) = 1);
create index todos_commented_commit on todos (commented_commit_id) where commented_commit_id is not null;
create unique index todos_pending_commented_commit_key on todos (commented_commit_id, user_id)
  where state = 'pending' and commented_commit_id is not null;

alter table user_mentions add column commented_commit_id bigint references commented_commits on delete cascade;
alter table user_mentions drop constraint user_mentions_one_thing;
alter table user_mentions add constraint user_mentions_one_thing
  check (num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id) = 1);
create unique index user_mentions_commented_commit_key on user_mentions (commented_commit_id, coalesce(note_id, 0), user_id)
  where commented_commit_id is not null;

alter table subscriptions add column commented_commit_id bigint references commented_commits on delete cascade;
alter table subscriptions drop constraint subscriptions_one_thing;
alter table subscriptions add constraint subscriptions_one_thing
  check (num_nonnulls(issue_id, label_id, merge_request_id, epic_id, commented_commit_id) = 1);
alter table subscriptions add constraint subscriptions_commented_commit_key unique (commented_commit_id, user_id);

-- A commit is mentioned once by each item, like the items themselves.
drop index notes_mention_by_commit_key;
create unique index notes_mention_by_commit_key
  on notes (coalesce(issue_id, 0), coalesce(merge_request_id, 0), coalesce(epic_id, 0), coalesce(commented_commit_id, 0), named_commit)
  where action = 'mention' and named_commit is not null;
drop index notes_mention_key;
create unique index notes_mention_key
  on notes (coalesce(issue_id, 0), coalesce(merge_request_id, 0), coalesce(epic_id, 0), coalesce(commented_commit_id, 0),
            coalesce(named_issue_id, 0), coalesce(named_merge_request_id, 0), coalesce(named_epic_id, 0))
  where action = 'mention' and num_nonnulls(named_issue_id, named_merge_request_id, named_epic_id) = 1;

-- The pages of a project's commits follow what is said about them.
create function announce_commit_note() returns trigger language plpgsql as $$
begin
  perform announce_change('commit_comments:' || project_id)
     from commented_commits where id = coalesce(new.commented_commit_id, old.commented_commit_id);
  return null;
end $$;
create trigger announce_new_commit_note after insert on notes for each row
  when (new.commented_commit_id is not null) execute function announce_commit_note();
create trigger announce_changed_commit_note after update on notes for each row
  when (new.commented_commit_id is not null) execute function announce_commit_note();
create trigger announce_deleted_commit_note after delete on notes for each row
  when (old.commented_commit_id is not null) execute function announce_commit_note();

create or replace function announce_reaction() returns trigger language plpgsql as $$
declare
  issue bigint := coalesce(new.issue_id, old.issue_id);
  merge_request bigint := coalesce(new.merge_request_id, old.merge_request_id);
  commit_project bigint;
begin
  if coalesce(new.note_id, old.note_id) is not null then
    select notes.issue_id, notes.merge_request_id, commented_commits.project_id into issue, merge_request, commit_project
      from notes left join commented_commits on commented_commits.id = notes.commented_commit_id
     where notes.id = coalesce(new.note_id, old.note_id);
  end if;
  if issue is not null then
    perform announce_change('issue:' || issue);
  end if;
  if merge_request is not null then
    perform announce_change('merge_request:' || merge_request);
  end if;
  if commit_project is not null then
    perform announce_change('commit_comments:' || commit_project);
  end if;
  return null;
end $$;
