-- What is said about things: by people, and by the server of what has changed.
create table notes (
  id bigint generated always as identity primary key,
  -- 40 hex digits, the same for all notes of a thread. A thread is its notes: it is gone with the last of them.
  discussion_id text not null,
  issue_id bigint references issues on delete cascade,
  author_id bigint not null references users,
  body text not null,
  -- Part of a thread that can be answered, as against a note that stands alone.
  threaded boolean not null default false,
  confidential boolean not null default false,
  -- The kind of change that the server tells of; null for what people say.
  action text,
  -- What a note of the server names: nobody who may not know of that reads the note.
  named_issue_id bigint references issues on delete cascade,
  named_commit text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notes_one_noteable check (num_nonnulls(issue_id) = 1)
);
create index notes_issue on notes (issue_id, created_at, id);
create index notes_discussion on notes (discussion_id, created_at, id);
create index notes_author on notes (author_id);
create index notes_named_issue on notes (named_issue_id);
-- A thing mentions another one once, however often it names it.
create unique index notes_mention_key on notes (issue_id, named_issue_id) where action = 'mention' and named_issue_id is not null;
create unique index notes_mention_by_commit_key on notes (issue_id, named_commit) where action = 'mention' and named_commit is not null;

-- Whom texts of a thing mention: they take part in it. `note_id` is null for its description.
create table user_mentions (
  issue_id bigint references issues on delete cascade,
  note_id bigint references notes on delete cascade,
  user_id bigint not null references users on delete cascade,
  constraint user_mentions_one_thing check (num_nonnulls(issue_id) = 1)
);
create unique index user_mentions_issue_key on user_mentions (issue_id, coalesce(note_id, 0), user_id);
create index user_mentions_note on user_mentions (note_id);
create index user_mentions_user on user_mentions (user_id);
