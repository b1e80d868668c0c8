-- The epic that an issue was made into: an issue becomes one epic, however often somebody asks for it.
alter table issues add column promoted_to_epic_id bigint references epics on delete set null;
create index issues_promoted_to_epic on issues (promoted_to_epic_id) where promoted_to_epic_id is not null;
