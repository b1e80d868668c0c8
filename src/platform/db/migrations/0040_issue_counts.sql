-- Who may know of a confidential issue depends on its author: told by the index alone.
drop index issues_confidential;
create index issues_confidential on issues (project_id, id) include (author_id) where confidential;

-- Nearly all issues are of one type; the others are found without looking at those.
create index issues_other_types on issues (issue_type, project_id) include (confidential, author_id, id) where issue_type <> 'issue';
