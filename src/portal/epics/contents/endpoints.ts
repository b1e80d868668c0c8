/** Changing what is in an epic: issues and epics are added by what people call them, moved, and taken out. */

import { itemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import { itemPlaceOf } from '../../../collaboration/markdown/links.ts'
import { splitAtReferences } from '../../../collaboration/markdown/references.ts'
import { assignChildEpic, createChildEpic, reorderChildEpic, unassignChildEpic } from '../../../planning/epics/children/endpoints.ts'
import { assignEpicIssue, removeEpicIssue, reorderEpicIssue } from '../../../planning/epics/issues/endpoints.ts'
import { epicNamed } from '../../../planning/epics/item_kind/quick_actions/named.ts'
import { visibleEpicById } from '../../../planning/epics/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { invalid, Refusal } from '../../../platform/kernel/errors.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { groupPlace } from '../../../spaces/groups/pages/place.ts'
import { EPIC, epicPath, type InEpic, inChildEpicPage, inEpicPage, inIssueOfEpicPage } from '../scope.ts'

const back = (ctx: InEpic): string => epicPath(ctx)

const frame = (title: string) => (ctx: Context & InEpic) => ({
  title: `${title}: &${ctx.epic.iid} ${ctx.epic.title}`,
  place: groupPlace(ctx.actor, ctx.group, 'epics'),
})

/** A reference without the address of this server before it. */
export const referenceIn = (url: string, given: unknown): string =>
  String(given)
    .trim()
    .replace(`${url}/`, '')
    .replace(/^groups\/(.+?)\/-\/epics\/(\d+).*$/s, '$1&$2')
    .replace(/^(.+?)\/-\/issues\/(\d+).*$/s, '$1#$2')

/** The issue that a text names, if the caller may see it: `project#3` in the group of the epic, or with its full path. */
async function issueNamed(ctx: Context & InEpic, given: string): Promise<number> {
  const [reference] = splitAtReferences(given)
  if (typeof reference === 'object' && reference.kind === 'issue' && reference.text === given) {
    const { full_path } = ctx.group
    const kind = itemKind('issue')
    const path = reference.place === undefined ? undefined : itemPlaceOf(kind, reference, { full_path, namespace_full_path: full_path })
    const [found] = path === undefined ? [] : await kind.named(ctx, [{ path, iid: Number(reference.name) }])
    if (found) return found.id
  }
  throw invalid({ issue: ['is no issue that you may see: write project#3, or group/project#3'] })
}

/** The id of the epic that a text names, if the caller may see it; refused at the field `name`. */
export async function epicIdNamed(ctx: Context & InEpic, name: string, given: unknown): Promise<number> {
  const text = referenceIn(ctx.url, given)
  const found = await epicNamed(ctx, ctx.group.full_path, /^\d+$/.test(text) ? `&${text}` : text)
  if (!found) throw invalid({ [name]: ['is no epic that you may see: write &3, or group&3'] })
  return found.id
}

const addIssue = form<InEpic>({
  path: `${EPIC}/issues/add`,
  summary: 'Add an issue to an epic',
  scope: inEpicPage,
  of: assignEpicIssue,
  instead: {
    of: ['epic_issue_id'],
    params: { issue: text('The issue: `project#3`, or `group/project#3`', { minLength: 1, maxLength: 512, examples: ['project#1'] }) },
    adapt: async (ctx, { issue }) => ({ epic_issue_id: await issueNamed(ctx, referenceIn(ctx.url, issue)) }),
  },
  fields: () => [
    { name: 'issue', label: 'Issue', autofocus: true, hint: 'As `project#3` or `group/project#3`, or the address of its page.' },
  ],
  next: back,
  cancel: back,
  notice: 'The issue is in the epic.',
  button: 'Add',
  within: () => 'issues-add',
  frame: frame('Add an issue'),
})

/** What the API says of the parent of a child is said at the field that names the child. */
function atChild(error: unknown): unknown {
  const said = error instanceof Refusal ? (error.body as { message?: { parent_id?: string[] } })?.message?.parent_id : undefined
  return said === undefined ? error : invalid({ child: said })
}

/** Runs a declaration of a child with the child that was named. */
const namedChild: Endpoint = {
  ...assignChildEpic,
  params: { child: text('The epic: `&3`, or `group&3`', { minLength: 1, maxLength: 512, examples: ['&1'] }) },
  async run(input: Context & InEpic & { params: { child: string } }) {
    const id = await epicIdNamed(input, 'child', input.params.child)
    const child = await visibleEpicById(input.db, input.actor, id, input.group.full_path)
    try {
      return await assignChildEpic.run({ ...input, child } as never)
    } catch (error) {
      throw atChild(error)
    }
  },
}

const addChild = form<InEpic>({
  path: `${EPIC}/children/add`,
  summary: 'Put an epic into another one',
  scope: inEpicPage,
  of: namedChild,
  fields: () => [{ name: 'child', label: 'Epic', autofocus: true, hint: 'As `&3` or `group&3`, or the address of its page.' }],
  next: back,
  cancel: back,
  notice: 'The epic is in this one.',
  button: 'Add',
  within: () => 'children-add',
  frame: frame('Add an epic'),
})

const newChild = form<InEpic>({
  path: `${EPIC}/children/new`,
  summary: 'Create an epic in another one',
  scope: inEpicPage,
  of: createChildEpic,
  fields: ({ epic }) => [
    { name: 'title', autofocus: true, hint: '' },
    ...(epic.confidential ? [] : [{ name: 'confidential', label: 'Confidential', hint: '' } as const]),
  ],
  next: back,
  cancel: back,
  notice: 'The epic was created in this one.',
  button: 'Create epic',
  within: () => 'children-new',
  frame: frame('New epic'),
})

const button = <S extends InEpic>(path: `/${string}`, of: Endpoint, scope: Scope<S>, notice: string): Endpoint =>
  action<S>({ route: `POST ${EPIC}${path}`, of, scope, next: back, notice })

export const epicContents = {
  showAddIssue: addIssue.show,
  addIssue: addIssue.submit,
  showAddChild: addChild.show,
  addChild: addChild.submit,
  showNewChild: newChild.show,
  newChild: newChild.submit,
  moveIssue: button('/issues/:epic_issue_id/move', reorderEpicIssue, inIssueOfEpicPage, 'The order was changed.'),
  removeIssue: button('/issues/:epic_issue_id/remove', removeEpicIssue, inIssueOfEpicPage, 'The issue is not in the epic any more.'),
  moveChild: button('/children/:child_epic_id/move', reorderChildEpic, inChildEpicPage, 'The order was changed.'),
  removeChild: button('/children/:child_epic_id/remove', unassignChildEpic, inChildEpicPage, 'The epic is not in this one any more.'),
}
