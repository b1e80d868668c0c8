-- One rule for anybody, for a project and for a merge request.
create unique index approval_rules_any_key on approval_rules (project_id) where rule_type = 'any_approver' and project_id is not null;
create unique index approval_rules_any_of_merge_request_key on approval_rules (merge_request_id)
  where rule_type = 'any_approver' and merge_request_id is not null;
