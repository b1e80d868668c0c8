/** Approval progress of a merge request: pure functions over rules and approvers (merge request approvals API at 14.0). */

/** A rule as it applies to one merge request. */
export interface AppliedRule {
  /** Null for the bare number of approvals that a project or merge request requires without a rule. */
  readonly id: number | null
  readonly name: string
  readonly rule_type: string
  readonly approvals_required: number
  /** Users who can approve for the rule; undefined if every eligible user can. */
  readonly approver_ids: readonly number[] | undefined
}

/** A rule with the number of approvals that it still needs. */
export interface RuleState<R extends AppliedRule = AppliedRule> {
  readonly rule: R
  readonly approved_by: readonly number[]
  readonly left: number
}

/** Contract: a rule never requires more approvals than it has users able to approve, so that it cannot block a merge request forever. */
function leftOf({ approvals_required, approver_ids }: AppliedRule, approved: number): number {
  const left = Math.max(0, approvals_required - approved)
  return approver_ids === undefined ? left : Math.min(left, approver_ids.length - approved)
}

/** The approvals that a rule has, and how many it still needs. */
export function stateOf<R extends AppliedRule>(rule: R, approvedBy: readonly number[]): RuleState<R> {
  const { approver_ids } = rule
  const approved_by = approver_ids === undefined ? approvedBy : approvedBy.filter(id => approver_ids.includes(id))
  return { rule, approved_by, left: leftOf(rule, approved_by.length) }
}

/** The sum of the missing approvals of all rules; a merge request is approved when it is 0. */
export const leftInAll = (states: readonly RuleState[]): number => states.reduce((sum, { left }) => sum + left, 0)

/** The sum of the approvals that all rules require. */
export const requiredByAll = (rules: readonly AppliedRule[]): number => rules.reduce((sum, rule) => sum + rule.approvals_required, 0)
