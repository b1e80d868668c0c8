/** The pages of the trigger tokens of a project. */
import { createTrigger, deleteTrigger, listTriggers, updateTrigger } from '../../ci/triggers/endpoints.ts'
import { Trigger } from '../../ci/triggers/entity.ts'
import type { TriggerRow } from '../../ci/triggers/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { revealedPage } from '../../platform/pages/components/revealed.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { inTriggerPage } from './scope.ts'
import { type ShownTrigger, triggersView } from './triggers_view.ts'

const path = '/:project_path/-/triggers' as const
const onePath = `${path}/:trigger_id` as const

interface InProject {
  readonly project: ProjectWithRole
}
type InTrigger = InProject & { readonly trigger: TriggerRow }

const back = ({ project }: InProject): string => projectPath(project, '/-/triggers')
const frame = (title: string) => (ctx: Context & InProject) => ({ title, place: settingsPlaceOf(ctx, 'triggers') })
const description = { name: 'description', label: 'What it is for', hint: '', autofocus: true } as const

export const showTriggers = pageEndpoint({
  route: `GET ${path}`,
  summary: 'Show the trigger tokens of a project',
  scope: inProjectPage,
  can: 'admin_triggers',
  params: listParams,
  async run(ctx) {
    const { project, params } = ctx
    const { rows, links } = await answerOf(ctx, listTriggers, params)
    return page(ctx, { ...frame('Triggers')(ctx), heading: 'own', body: triggersView({ ctx, project, base: back(ctx) }, rows, links) })
  },
})

export const showTriggerToken = pageEndpoint({
  route: `GET ${onePath}/token`,
  summary: 'Show the token of a trigger: in full to its owner alone',
  scope: inTriggerPage,
  can: 'admin_triggers',
  async run(ctx) {
    const { trigger, actor } = ctx
    const isOwn = trigger.owner_id !== null && trigger.owner_id === actor.user?.id
    const [shown] = (await presentAll(Trigger, ctx, [trigger])) as unknown as [ShownTrigger]
    const label = `Token of ${shown.description || `#${shown.id}`}`
    return revealedPage(
      ctx,
      { ...frame(label)(ctx), width: 'medium' },
      { id: `trigger-${shown.id}`, label, text: isOwn ? shown.token : `${shown.token}…` },
    )
  },
})

const creation = form<InProject>({
  path: `${path}/new`,
  summary: 'Add a trigger token',
  scope: inProjectPage,
  of: createTrigger,
  fields: () => [{ ...description, required: true }],
  next: back,
  cancel: back,
  notice: 'The trigger was added. Only you can see its token.',
  button: 'Add trigger',
  frame: frame('Add a trigger'),
})

const change = form<InTrigger>({
  path: `${onePath}/edit`,
  summary: 'Change what a trigger token is for',
  scope: inTriggerPage,
  of: updateTrigger,
  fields: () => [{ ...description, required: true }],
  values: ({ trigger }) => ({ description: trigger.description ?? '' }),
  next: back,
  cancel: back,
  notice: 'The trigger was changed.',
  button: 'Save',
  frame: frame('Change a trigger'),
})

export const triggerChanges = {
  showCreation: creation.show,
  create: creation.submit,
  showChange: change.show,
  change: change.submit,
  remove: action<InTrigger>({
    route: `POST ${onePath}/delete`,
    of: deleteTrigger,
    scope: inTriggerPage,
    next: back,
    notice: 'The trigger was revoked.',
  }),
}
