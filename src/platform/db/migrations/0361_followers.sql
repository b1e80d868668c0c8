-- Who follows whose activity.
create table user_follows (
  follower_id bigint not null references users on delete cascade,
  followed_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (follower_id, followed_id),
  constraint user_follows_not_of_oneself check (follower_id <> followed_id)
);
create index user_follows_followed on user_follows (followed_id, created_at);
