/** The approval state of a merge request as JSON (merge request approvals API at 14.0). */

import Type from 'typebox'
import { summaryFields } from '../../identity/users/entity.ts'
import { usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, onTier, text, tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { Place } from './committers.ts'
import { type ApprovalFacts, approvalFacts } from './facts.ts'
import { mayApprove } from './rights.ts'
import { loadRules, ofMergeRequest, presentRule, presentSource, presentUsers, ruleFields, sourcesOf } from './rules/entity.ts'
import { leftInAll, requiredByAll, stateOf } from './state.ts'

const User = Type.Object(summaryFields)
const ShortRule = Type.Object({
  id: Nullable(integer('ID of the rule; null where only a number of approvals is required')),
  name: text('Name of the rule'),
  rule_type: text('Kind of the rule: `regular`, `any_approver`, `code_owner` or `report_approver`'),
})

/** A merge request with the project as the caller sees it. */
export type Approved = Place & { readonly id: number }

const factsFor = async ({ db, tier }: Context, places: readonly Place[]) =>
  approvalFacts(
    db,
    tier,
    places.map(({ mergeRequest }) => mergeRequest),
  )

async function load(ctx: Context, places: readonly Place[]) {
  const facts = await factsFor(ctx, places)
  const able = new Set<number>()
  for (const place of places)
    if (await mayApprove(ctx, place, facts.get(place.mergeRequest.id) as ApprovalFacts)) able.add(place.mergeRequest.id)
  const rules = [...facts.values()].flatMap(({ rules }) => rules)
  const people = [...facts.values()].flatMap(({ approved_by }) => approved_by).concat(rules.flatMap(rule => rule.approver_ids ?? []))
  return { facts, able, users: await usersById(ctx.db, [...new Set(people)]), userId: ctx.actor.user?.id, tier: ctx.tier }
}

/** The approvals of a merge request. */
export const Approvals = entity({
  name: 'MergeRequestApprovals',
  schema: Type.Object({
    user_has_approved: flag('Whether the caller has approved'),
    user_can_approve: flag('Whether the caller may approve'),
    approved: flag('Whether all required approvals are given'),
    approved_by: described('Who approved', Type.Array(Type.Object({ user: described('The user', User) }))),
    id: onTier('premium', integer('ID of the merge request')),
    iid: onTier('premium', integer('Number within the project or group')),
    project_id: onTier('premium', integer('ID of the project')),
    title: onTier('premium', text('Title')),
    description: onTier('premium', Nullable(text('Description; null or empty where there is none'))),
    state: onTier('premium', text('State')),
    created_at: onTier('premium', DateTime('When it was created')),
    updated_at: onTier('premium', DateTime('When it was last changed')),
    merge_status: onTier(
      'premium',
      text('Whether the branches can be merged: `unchecked`, `checking`, `can_be_merged` or `cannot_be_merged`'),
    ),
    approvals_required: onTier('premium', integer('Number of approvals that are required')),
    approvals_left: onTier('premium', integer('Number of approvals that are still missing')),
    require_password_to_approve: onTier('premium', flag('Whether approving asks for the password')),
    suggested_approvers: onTier('premium', described('Users who may approve and have not', Type.Array(User))),
    // Contract: users and groups that rules name appear in the rules; these older lists stay empty (merge request approvals API at 14.0).
    approvers: onTier('premium', described('Deprecated; always empty', Type.Array(User))),
    approver_groups: onTier('premium', described('Deprecated; always empty', Type.Array(Type.Unknown()))),
    approval_rules_left: onTier('premium', described('Rules that still need approvals', Type.Array(ShortRule))),
    has_approval_rules: onTier('premium', flag('Whether there are rules')),
    merge_request_approvers_available: onTier('premium', flag('Whether the tier has approval rules')),
    multiple_approval_rules_available: onTier('premium', flag('Whether the tier has several approval rules')),
  }),
  load,
  present: ({ mergeRequest: row }: Place, { facts, able, users, userId, tier }, shown) => {
    const { rules, approved_by, counting, settings } = facts.get(row.id) as ApprovalFacts
    const states = rules.map(rule => stateOf(rule, counting))
    const open = states.filter(({ left }) => left > 0)
    const suggested = [...new Set(open.flatMap(({ rule }) => rule.approver_ids ?? []))].filter(id => !approved_by.includes(id))
    const isPremium = tierCovers(tier, 'premium')
    return {
      user_has_approved: userId !== undefined && approved_by.includes(userId),
      user_can_approve: able.has(row.id),
      // Contract: without rules one approval makes a merge request approved; with rules all of them must be met.
      approved: isPremium ? leftInAll(states) === 0 : counting.length > 0,
      approved_by: presentUsers(approved_by, users, shown).map(user => ({ user })),
      id: row.id,
      iid: row.iid,
      project_id: row.project_id,
      title: row.title,
      description: row.description,
      state: row.state,
      created_at: row.created_at,
      updated_at: row.updated_at,
      merge_status: row.merge_status,
      approvals_required: requiredByAll(rules),
      approvals_left: leftInAll(states),
      require_password_to_approve: settings.require_password_to_approve,
      suggested_approvers: presentUsers(suggested, users, shown),
      approvers: [],
      approver_groups: [],
      approval_rules_left: open.map(({ rule: { id, name, rule_type } }) => ({ id, name, rule_type })),
      has_approval_rules: rules.some(({ row: rule }) => rule !== undefined),
      merge_request_approvers_available: isPremium,
      multiple_approval_rules_available: isPremium,
    }
  },
})

/** The rules that apply to a merge request, each with its approvals. */
export const ApprovalState = entity({
  name: 'MergeRequestApprovalState',
  schema: Type.Object({
    approval_rules_overwritten: flag("Whether the merge request has rules of its own in place of the project's"),
    rules: described(
      'The rules',
      Type.Array(
        Type.Object({
          ...ruleFields,
          ...ofMergeRequest,
          approved_by: described('Who approved', Type.Array(User)),
          approved: flag('Whether all required approvals are given'),
          code_owner: flag('Whether the rule comes from a CODEOWNERS file'),
          section: Nullable(text('Section of the CODEOWNERS file; null where there is none')),
        }),
      ),
    ),
  }),
  async load(ctx: Context, places: readonly Place[]) {
    const facts = await factsFor(ctx, places)
    const rows = [...facts.values()].flatMap(({ rules }) => rules.flatMap(({ row }) => row ?? []))
    const people = [...facts.values()].flatMap(({ approved_by }) => approved_by)
    return {
      facts,
      rules: await loadRules(ctx, rows),
      sources: await sourcesOf(ctx, rows),
      users: await usersById(ctx.db, [...new Set(people)]),
    }
  },
  present: ({ mergeRequest }: Place, { facts, rules, sources, users }, shown) => {
    const found = facts.get(mergeRequest.id) as ApprovalFacts
    return {
      approval_rules_overwritten: found.overwritten,
      rules: found.rules.map(rule => {
        const { approved_by, left } = stateOf(rule, found.counting)
        const row = rule.row
        return {
          ...(row
            ? {
                ...presentRule(row, rules, shown, [...(rule.approver_ids ?? [])]),
                approvals_required: rule.approvals_required,
                ...presentSource(row, sources),
              }
            : {
                id: null,
                name: rule.name,
                rule_type: rule.rule_type,
                eligible_approvers: [],
                approvals_required: rule.approvals_required,
                users: [],
                groups: [],
                contains_hidden_groups: false,
                source_rule: null,
                overridden: false,
              }),
          approved_by: presentUsers(approved_by, users, shown),
          approved: left === 0,
          code_owner: rule.rule_type === 'code_owner',
          section: row?.section ?? null,
        }
      }),
    }
  },
})
