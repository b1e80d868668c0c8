/** Push rules by the address of what they belong to. */
import { inInstance, type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { type PushRuleRow, pushRuleOf, type RuledPlace } from './queries.ts'

/** A place that may have push rules. */
export interface InRuledPlace {
  readonly ruled: RuledPlace
}

/** Its rules, where it has some. */
export interface InPushRule extends InRuledPlace {
  readonly pushRule: PushRuleRow
}

export const inRuledProject = within(inProject, {
  name: 'inRuledProject',
  path: {},
  load: async ({ project }): Promise<InRuledPlace> => ({ ruled: { project_id: project.id } }),
})

export const inRuledGroup = within(inGroup, {
  name: 'inRuledGroup',
  path: {},
  load: async ({ group }): Promise<InRuledPlace> => ({ ruled: { namespace_id: group.id } }),
})

export const inRuledInstance = within(inInstance, {
  name: 'inRuledInstance',
  path: {},
  load: async (): Promise<InRuledPlace> => ({ ruled: { instance: true } }),
})

/** The rules of such a place, or 404. */
export const inPushRule = <S extends InRuledPlace>(name: string, outer: Scope<S>): Scope<S & InPushRule> =>
  within(outer, {
    name,
    path: {},
    async load({ db, ruled }) {
      const pushRule = await pushRuleOf(db, ruled)
      if (!pushRule) throw notFound('Push Rule')
      return { pushRule }
    },
  }) as Scope<S & InPushRule>
