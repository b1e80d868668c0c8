-- Epics: what groups plan in the large, with the issues that make them up.

create table epics (
  id bigint generated always as identity primary key,
  iid bigint not null,
  namespace_id bigint not null references namespaces on delete cascade,
  author_id bigint not null references users,
  parent_id bigint references epics on delete set null,
  -- Among the children of one parent, from 0.
  position integer not null default 0,
  title text not null,
  description text,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  confidential boolean not null default false,
  -- Dates are fixed, or follow from the milestones of the issues and from the epics below.
  start_date_is_fixed boolean not null default false,
  start_date_fixed date,
  due_date_is_fixed boolean not null default false,
  due_date_fixed date,
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  closed_at timestamptz,
  closed_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint epics_iid_key unique (namespace_id, iid),
  check (parent_id <> id),
  check ((state = 'closed') = (closed_at is not null))
);
create index epics_parent on epics (parent_id, position, id);
create index epics_author on epics (author_id);
create index epics_closed_by on epics (closed_by_id);
create index epics_created_at on epics (namespace_id, created_at, id);
create index epics_updated_at on epics (namespace_id, updated_at, id);
create index epics_title_trgm on epics using gin (title gin_trgm_ops);
create index epics_description_trgm on epics using gin (description gin_trgm_ops);

create table epic_labels (
  epic_id bigint not null references epics on delete cascade,
  label_id bigint not null references labels on delete cascade,
  primary key (epic_id, label_id)
);
create index epic_labels_label on epic_labels (label_id, epic_id);

alter table issues add constraint issues_epic_fkey foreign key (epic_id) references epics on delete set null;
-- Where the issue stands in its epic, from 0.
alter table issues add column epic_position integer not null default 0;
drop index issues_epic;
create index issues_epic on issues (epic_id, epic_position, id);
