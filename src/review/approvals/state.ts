/** How far the approval of a merge request is: pure, over the rules and whoever has approved (merge request approvals API at 14.0). */

/** A rule as it holds for one merge request. */
export interface AppliedRule {
  /** Null for the number that the project or the merge request asks for without a rule. */
  readonly id: number | null
  readonly name: string
  readonly rule_type: string
  readonly approvals_required: number
  /** Whoever can approve for the rule; undefined for whoever may approve at all. */
  readonly approver_ids: readonly number[] | undefined
}

/** A rule with what it still lacks. */
export interface RuleState<R extends AppliedRule = AppliedRule> {
  readonly rule: R
  readonly approved_by: readonly number[]
  readonly left: number
}

/** Contract: a rule whose people are all unable to approve does not hold a merge request for ever, but asks for nobody more than it has. */
function leftOf({ approvals_required, approver_ids }: AppliedRule, approved: number): number {
  const left = Math.max(0, approvals_required - approved)
  return approver_ids === undefined ? left : Math.min(left, approver_ids.length - approved)
}

/** What a rule has and lacks. */
export function stateOf<R extends AppliedRule>(rule: R, approvedBy: readonly number[]): RuleState<R> {
  const { approver_ids } = rule
  const approved_by = approver_ids === undefined ? approvedBy : approvedBy.filter(id => approver_ids.includes(id))
  return { rule, approved_by, left: leftOf(rule, approved_by.length) }
}

/** The sum of what all rules lack; nothing is approved while it is above 0. */
export const leftInAll = (states: readonly RuleState[]): number => states.reduce((sum, { left }) => sum + left, 0)

/** The sum of what all rules ask for. */
export const requiredByAll = (rules: readonly AppliedRule[]): number => rules.reduce((sum, rule) => sum + rule.approvals_required, 0)
