-- How the instance presents itself on its pages and in its mails: one row.
create table appearance (
  id integer primary key default 1 check (id = 1),
  title text not null default '',
  description text not null default '',
  new_project_guidelines text not null default '',
  profile_image_guidelines text not null default '',
  header_message text not null default '',
  footer_message text not null default '',
  message_background_color text not null default '#E75E40',
  message_font_color text not null default '#FFFFFF',
  email_header_and_footer_enabled boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into appearance default values;

create table appearance_images (
  -- What it is for.
  kind text primary key check (kind in ('logo', 'header_logo', 'favicon')),
  object_id bigint not null references stored_objects (id),
  filename text not null,
  media_type text not null
);
create index appearance_images_object_id on appearance_images (object_id);
