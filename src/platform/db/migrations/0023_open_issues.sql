-- How many of a project's `open_issues_count` are confidential: whoever may not know of those is told the difference.
alter table projects add column confidential_open_issues_count integer not null default 0;

-- A discussion is locked or is not.
update issues set discussion_locked = false where discussion_locked is null;
alter table issues alter column discussion_locked set default false, alter column discussion_locked set not null;
