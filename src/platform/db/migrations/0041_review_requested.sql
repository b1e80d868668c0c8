-- Whoever is asked to review a merge request has something to do.
alter table todos drop constraint todos_action_check;
alter table todos add constraint todos_action_check
  check (action in ('assigned', 'mentioned', 'build_failed', 'marked', 'approval_required', 'unmergeable', 'directly_addressed',
                    'merge_train_removed', 'review_requested'));
