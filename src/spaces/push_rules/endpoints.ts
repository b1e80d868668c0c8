/** Push rules of projects, of groups for their new projects, and of the instance for those of no such group (projects and groups API at 14.0). */
import type { Ability } from '../../platform/access/abilities.ts'
import { type Endpoint, endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { createPushRule, removePushRule, updatePushRule } from './commands.ts'
import { ProjectPushRule, PushRule } from './entity.ts'
import { pushRuleOf } from './queries.ts'
import { type InPushRule, type InRuledPlace, inPushRule, inRuledGroup, inRuledInstance, inRuledProject } from './scope.ts'

const pattern = (about: string) => optional(text(`${about}, as an RE2 pattern; empty: any`, { maxLength: 511 }))

const params = {
  commit_message_regex: pattern('What messages of commits must have'),
  commit_message_negative_regex: pattern('What messages of commits must not have'),
  branch_name_regex: pattern('What names of branches must have'),
  author_email_regex: pattern('What addresses of authors and committers must have'),
  file_name_regex: pattern('What paths of new files must not have'),
  deny_delete_tag: optional(flag('Whether pushes may not delete tags')),
  member_check: optional(flag('Whether authors and committers must be users')),
  prevent_secrets: optional(flag('Whether new files that are called as secrets are must not be pushed')),
  commit_committer_check: optional(flag('Whether committers must be the users who push')),
  reject_unsigned_commits: optional(flag('Whether pushed commits must be signed')),
  max_file_size: optional(integer('Most MB of a file that is added or changed; 0: any size', { minimum: 0, maximum: 2_147_483_647 })),
}

interface Ruled {
  readonly path: `/${string}`
  readonly of: string
  readonly scope: Scope<InRuledPlace>
  readonly inOne: Scope<InPushRule>
  readonly can: Ability
  readonly shown: typeof PushRule | typeof ProjectPushRule
}

function pushRuleEndpoints({ path, of, scope, inOne, can, shown }: Ruled): readonly Endpoint[] {
  const declared = { can: can as never, tier: 'premium' } as const
  const answers = one(shown as typeof PushRule)
  const get =
    shown === ProjectPushRule
      ? endpoint({
          ...declared,
          route: `GET ${path}`,
          summary: `Get the push rules ${of}`,
          scope,
          answers: one(ProjectPushRule),
          run: async ({ db, ruled }) => (await pushRuleOf(db, ruled)) ?? null,
        })
      : endpoint({
          ...declared,
          route: `GET ${path}`,
          summary: `Get the push rules ${of}`,
          scope: inOne,
          answers,
          run: ({ pushRule }) => pushRule,
        })
  return [
    get,
    endpoint({
      ...declared,
      route: `POST ${path}`,
      summary: `Set push rules ${of} that has none`,
      scope,
      params,
      answers,
      errors: ['unprocessable'],
      run: ctx => createPushRule(ctx, ctx.ruled, ctx.params),
    }),
    endpoint({
      ...declared,
      route: `PUT ${path}`,
      summary: `Change the push rules ${of}`,
      scope: inOne,
      params,
      answers,
      run: ctx => updatePushRule(ctx, ctx.ruled, ctx.pushRule, ctx.params),
    }),
    endpoint({
      ...declared,
      route: `DELETE ${path}`,
      summary: `Take the push rules ${of} away`,
      scope: inOne,
      answers: nothing,
      run: ctx => removePushRule(ctx, ctx.ruled, ctx.pushRule),
    }),
  ]
}

export const projectPushRules = pushRuleEndpoints({
  path: '/projects/:id/push_rule',
  of: 'of a project',
  scope: inRuledProject,
  inOne: inPushRule('inProjectPushRule', inRuledProject),
  can: 'admin_project',
  shown: ProjectPushRule,
})

export const groupPushRules = pushRuleEndpoints({
  path: '/groups/:id/push_rule',
  of: 'of a group',
  scope: inRuledGroup,
  inOne: inPushRule('inGroupPushRule', inRuledGroup),
  can: 'admin_group',
  shown: PushRule,
})

/** Newer than 14.0: there the rules of the instance have a page, and no address in the API. */
export const instancePushRules = pushRuleEndpoints({
  path: '/admin/push_rule',
  of: 'of the instance',
  scope: inRuledInstance,
  inOne: inPushRule('inInstancePushRule', inRuledInstance),
  can: 'admin_instance',
  shown: PushRule,
})
