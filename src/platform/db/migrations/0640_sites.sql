-- Static sites of projects, served from the archive that a `pages` job left, and the domains that lead to them.
create table project_sites (
  project_id bigint primary key references projects on delete cascade,
  -- The job that left the archive.
  job_id bigint references jobs on delete set null,
  -- The archive is kept for as long as the site is there, whatever becomes of the artifact.
  object_id bigint not null references stored_objects,
  size bigint not null,
  -- Files of the site, and their bytes once they are unpacked.
  file_count integer not null,
  unpacked_size bigint not null,
  published_at timestamptz not null
);
create index project_sites_job on project_sites (job_id);
create index project_sites_object on project_sites (object_id);

create table site_domains (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  domain text not null check (domain = lower(domain)),
  verification_code text not null,
  certificate text,
  private_key text,
  auto_ssl_enabled boolean not null default false,
  verified_at timestamptz,
  -- The site is served under the domain until then.
  enabled_until timestamptz,
  -- The domain is removed from the project then, unless it is verified before.
  remove_at timestamptz,
  -- When the record was looked up last.
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index site_domains_domain on site_domains (domain);
create index site_domains_project on site_domains (project_id, domain);
create index site_domains_due on site_domains (enabled_until nulls first, id);
create index site_domains_removal on site_domains (remove_at) where remove_at is not null;

alter table application_settings
  add column max_pages_size integer not null default 100,
  add column pages_domain_verification_enabled boolean not null default true;
-- Both were kept without an effect before.
update application_settings
   set max_pages_size = least(1000000, greatest(0, round((inert ->> 'max_pages_size')::numeric)))
 where inert ? 'max_pages_size';
update application_settings
   set pages_domain_verification_enabled = (inert ->> 'pages_domain_verification_enabled')::boolean
 where inert ? 'pages_domain_verification_enabled';
update application_settings set inert = inert - 'max_pages_size' - 'pages_domain_verification_enabled';
