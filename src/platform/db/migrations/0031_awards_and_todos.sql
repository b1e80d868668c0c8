-- Reactions to what is said, and what people have to do.
alter table award_emoji drop constraint award_emoji_one_awardable;
alter table award_emoji
  add column note_id bigint references notes on delete cascade,
  add constraint award_emoji_one_awardable check (num_nonnulls(issue_id, note_id) = 1),
  add constraint award_emoji_note_key unique (note_id, user_id, name);

create table todos (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- Who made it: the user themselves for what they marked.
  author_id bigint not null references users on delete cascade,
  project_id bigint not null references projects on delete cascade,
  issue_id bigint references issues on delete cascade,
  -- What was said, where that is the cause.
  note_id bigint references notes on delete cascade,
  action text not null check (action in ('assigned', 'mentioned', 'build_failed', 'marked', 'approval_required', 'unmergeable',
                                         'directly_addressed', 'merge_train_removed')),
  state text not null default 'pending' check (state in ('pending', 'done')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint todos_one_target check (num_nonnulls(issue_id) = 1)
);
create index todos_user on todos (user_id, state, id);
create index todos_author on todos (author_id);
create index todos_project on todos (project_id);
create index todos_issue on todos (issue_id);
create index todos_note on todos (note_id);
-- Whoever has something pending about a thing is not told twice.
create unique index todos_pending_key on todos (issue_id, user_id) where state = 'pending';
