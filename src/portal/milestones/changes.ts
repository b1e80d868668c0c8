/** Forms and buttons of milestones. */
import { promoteMilestone } from '../../planning/milestones/endpoints.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { eitherPath } from '../places/planning.ts'
import { framePlace, type InMilestonePage, type InMilestones, type MilestoneKind, milestonesPath, ofGroup, ofProject } from './scope.ts'

const fields = (ctx: InMilestones): readonly FieldSpec[] => [
  { name: 'title', autofocus: true, hint: '' },
  { name: 'start_date', label: 'First day', hint: '' },
  { name: 'due_date', label: 'Last day', hint: 'With both days it has a burndown chart.' },
  { name: 'description', control: 'markdown', hint: '', base: eitherPath(ctx, '/-'), ...(ctx.project ? {} : { withoutFiles: true }) },
]

const frame = (title: string) => (ctx: Context & InMilestones) => ({ title, place: framePlace(ctx), scripts: ['markdown_editor.js'] })

const milestonePath = ({ place, milestone }: InMilestonePage): string => milestonesPath(place, `/${milestone.iid}`)

function changesOf(kind: MilestoneKind): Readonly<Record<string, Endpoint>> {
  const update = declarationOf(kind.api, 'PUT', /\/:milestone_id$/)
  const creation = form<InMilestones>({
    path: `${kind.base}/new`,
    summary: `Create a milestone of a ${kind.noun}`,
    scope: kind.inPlace,
    of: declarationOf(kind.api, 'POST', /\/milestones$/),
    fields,
    next: ({ place }, { iid }: { readonly iid: number }) => milestonesPath(place, `/${iid}`),
    cancel: ({ place }) => milestonesPath(place),
    notice: 'The milestone was created.',
    button: 'Create milestone',
    frame: frame('New milestone'),
  })
  const changing = form<InMilestonePage>({
    path: `${kind.base}/:milestone_iid/edit`,
    summary: `Change a milestone of a ${kind.noun}`,
    scope: kind.inOne,
    of: update,
    fields,
    values: ({ milestone: { title, description, start_date, due_date } }) => ({ title, description, start_date, due_date }),
    next: milestonePath,
    cancel: milestonePath,
    notice: 'The milestone was changed.',
    button: 'Save',
    frame: frame('Edit milestone'),
  })
  return {
    showNew: creation.show,
    create: creation.submit,
    showEdit: changing.show,
    edit: changing.submit,
    change: action({
      route: `POST ${kind.base}/:milestone_iid/change`,
      of: update,
      scope: kind.inOne,
      next: milestonePath,
      notice: 'The milestone was changed.',
    }),
    remove: action({
      route: `POST ${kind.base}/:milestone_iid/delete`,
      of: declarationOf(kind.api, 'DELETE', /\/:milestone_id$/),
      scope: kind.inOne,
      next: ({ place }: InMilestonePage) => milestonesPath(place),
      notice: 'The milestone was deleted; its issues and merge requests have none now.',
    }),
  }
}

export const projectMilestoneChanges = changesOf(ofProject)
export const groupMilestoneChanges = changesOf(ofGroup)

export const promote = action({
  route: `POST ${ofProject.base}/:milestone_iid/promote`,
  of: promoteMilestone,
  scope: ofProject.inOne,
  next: (_ctx, { iid, place_path }: { readonly iid: number; readonly place_path: string }) =>
    milestonesPath({ noun: 'group', full_path: place_path }, `/${iid}`),
  notice: 'The milestone is one of the group now.',
})
