/**
 * Imports from a wing to one above it, by file: what is left of the time before the wings. The list may only shrink; when it is empty it goes.
 */
export const upwardImports: Readonly<Record<string, readonly string[]>> = {
  'src/collaboration/discussions/follow_up.ts': [
    'src/planning/issues/creation/create.ts',
    'src/planning/issues/queries.ts',
    'src/review/merge_requests/entity.ts',
    'src/review/merge_requests/queries.ts',
  ],
  'src/collaboration/notes/noteable.ts': [
    'src/planning/epics/queries.ts',
    'src/planning/epics/scope.ts',
    'src/planning/issues/queries.ts',
    'src/planning/issues/scope.ts',
    'src/review/merge_requests/queries.ts',
    'src/review/merge_requests/scope.ts',
  ],
  'src/collaboration/quick_actions/action.ts': [
    'src/planning/epics/commands.ts',
    'src/planning/epics/queries.ts',
    'src/planning/issues/queries.ts',
    'src/planning/issues/update.ts',
    'src/review/merge_requests/queries.ts',
    'src/review/merge_requests/update.ts',
  ],
  'src/collaboration/quick_actions/table/deeds.ts': ['src/review/time_tracking/commands.ts'],
  'src/collaboration/quick_actions/table/epics.ts': ['src/planning/epics/children/commands.ts', 'src/planning/epics/issues/commands.ts'],
  'src/collaboration/quick_actions/table/merging.ts': [
    'src/review/approvals/commands.ts',
    'src/review/approvals/facts.ts',
    'src/review/approvals/rights.ts',
    'src/review/merge_requests/branches.ts',
    'src/review/merge_requests/drafts.ts',
    'src/review/merge_requests/merging/rebase.ts',
  ],
  'src/collaboration/quick_actions/table/relations.ts': [
    'src/planning/issues/links/commands.ts',
    'src/planning/issues/relocation/commands.ts',
    'src/planning/issues/update.ts',
    'src/planning/labels/queries.ts',
  ],
  'src/collaboration/quick_actions/table/times.ts': ['src/review/time_tracking/commands.ts'],
  'src/collaboration/quick_actions/targets.ts': [
    'src/planning/epics/queries.ts',
    'src/planning/issues/queries.ts',
    'src/planning/issues/scope.ts',
    'src/planning/labels/queries.ts',
    'src/review/merge_requests/queries.ts',
    'src/review/merge_requests/scope.ts',
  ],
  'src/collaboration/quick_actions/written.ts': [
    'src/planning/epics/commands.ts',
    'src/planning/epics/queries.ts',
    'src/planning/issues/creation/create.ts',
    'src/planning/issues/queries.ts',
    'src/planning/issues/update.ts',
    'src/review/merge_requests/branches.ts',
    'src/review/merge_requests/create.ts',
    'src/review/merge_requests/queries.ts',
    'src/review/merge_requests/update.ts',
  ],
  'src/planning/issues/relocation/commands.ts': ['src/review/time_tracking/commands.ts'],
}
