-- Who made a bot or a deploy token: what these do counts for that user where the work under way is limited.
alter table users add creator_id bigint references users (id) on delete set null;
create index users_creator on users (creator_id) where creator_id is not null;
alter table deploy_tokens add created_by bigint references users (id) on delete set null;
create index deploy_tokens_created_by on deploy_tokens (created_by);
