-- Rules that come from a CODEOWNERS file: the name is the pattern, and several sections may have the same one.
alter table approval_rules
  add column section text,
  add constraint approval_rules_section check (section is null or rule_type = 'code_owner'),
  drop constraint approval_rules_merge_request_name_key;
create unique index approval_rules_merge_request_name_key on approval_rules (merge_request_id, name) where rule_type <> 'code_owner';
create index approval_rules_merge_request on approval_rules (merge_request_id);

-- The CODEOWNERS file of the target branch that the rules of a merge request were made from; null where there is none.
alter table merge_requests add column code_owners_file text;
