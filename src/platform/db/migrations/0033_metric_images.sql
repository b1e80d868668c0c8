-- Images of what was measured, to be seen with an incident.
create table metric_images (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issues on delete cascade,
  object_id bigint not null references stored_objects,
  filename text not null,
  media_type text not null,
  -- Where to find out more.
  url text,
  url_text text,
  created_at timestamptz not null default now()
);
create index metric_images_issue on metric_images (issue_id, id);
create index metric_images_object on metric_images (object_id);
