-- Notes and reactions to snippets of projects, and who is mentioned in them.
alter table notes add column snippet_id bigint references snippets (id) on delete cascade;
alter table notes add column named_snippet_id bigint references snippets (id) on delete cascade;
alter table notes drop constraint notes_one_noteable;
alter table notes add constraint notes_one_noteable check (num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1);
create index notes_snippet on notes (snippet_id, created_at, id) where snippet_id is not null;
create index notes_named_snippet on notes (named_snippet_id) where named_snippet_id is not null;
create unique index notes_mention_by_snippet_key on notes (coalesce(issue_id, 0), coalesce(merge_request_id, 0), coalesce(epic_id, 0), coalesce(commented_commit_id, 0), named_snippet_id)
  where action = 'mention' and named_snippet_id is not null;

alter table award_emoji add column snippet_id bigint references snippets (id) on delete cascade;
alter table award_emoji add constraint award_emoji_snippet_key unique (snippet_id, user_id, name);
alter table award_emoji drop constraint award_emoji_one_awardable;
alter table award_emoji add constraint award_emoji_one_awardable check (num_nonnulls(issue_id, merge_request_id, epic_id, snippet_id, note_id) = 1);

alter table user_mentions add column snippet_id bigint references snippets (id) on delete cascade;
alter table user_mentions drop constraint user_mentions_one_thing;
alter table user_mentions add constraint user_mentions_one_thing
  check (num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1);
create unique index user_mentions_snippet_key on user_mentions (snippet_id, coalesce(note_id, 0), user_id) where snippet_id is not null;

alter table subscriptions add column snippet_id bigint references snippets (id) on delete cascade;
alter table subscriptions drop constraint subscriptions_one_thing;
alter table subscriptions add constraint subscriptions_one_thing
  check (num_nonnulls(issue_id, label_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1);
alter table subscriptions add constraint subscriptions_snippet_key unique (snippet_id, user_id);
