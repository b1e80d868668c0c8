/** The forms of the attributes that issues and merge requests share: each in a form of its own, which their pages show in the side column. */
import { userByUsername, usersById } from '../../identity/users/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Form, type FormDeclaration, form, type Values } from '../../platform/pages/forms/form.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { labelChoices, memberChoices, milestoneChoices, moreOf, oneOf, planningPlace, suggestedAccounts } from '../issues/choices.ts'

/** What stands on an item. */
interface Row {
  readonly label_ids: readonly number[]
  readonly milestone_id: number | null
}

/** A kind of item of projects. `S`: the subjects of its scope. */
export interface AttributedKind<S extends object> {
  /** `an issue`. */
  readonly noun: string
  /** The address of its page, as a route. */
  readonly route: `/${string}`
  readonly scope: FormDeclaration<S>['scope']
  /** The declaration that changes it. */
  readonly update: Endpoint
  /** Those that track time. */
  readonly times: readonly Endpoint[]
  readonly rowOf: (ctx: S) => Row
  /** The page of the item, or one below it. */
  readonly addressOf: (ctx: S, rest?: string) => string
  /** The page around a form with this title. */
  readonly frame: (title: string) => FormDeclaration<S>['frame']
  /** What the next page says. */
  readonly changed: string
}

/** People of an item, by the parameter that names them. */
interface People<S> {
  readonly name: string
  readonly summary: string
  readonly column: 'assignee_ids' | 'reviewer_ids'
  readonly label: string
  readonly notice?: string
  readonly idsOf: (ctx: S) => readonly number[]
}

/** The forms of a kind, and the means to declare those of its own. */
export function attributeFormsOf<S extends { readonly project: ProjectWithRole }>(kind: AttributedKind<S>) {
  const { noun, route, scope, update, times, rowOf, addressOf, frame, changed } = kind
  const back = (ctx: S): string => addressOf(ctx)

  const declared = (
    name: string,
    summary: string,
    rest: Pick<FormDeclaration<S>, 'fields' | 'of'> & Partial<FormDeclaration<S>>,
  ): Form<S> =>
    form<S>({
      path: `${route}/edit/${name}`,
      summary,
      scope,
      next: back,
      cancel: back,
      notice: changed,
      button: 'Save',
      within: () => `edit-${name}`,
      frame: frame(summary),
      ...rest,
    })

  const attribute = (
    name: string,
    summary: string,
    fields: (ctx: Context & S) => Promise<readonly FieldSpec[]>,
    values: (ctx: Context & S) => Values | Promise<Values>,
  ) => declared(name, summary, { of: update, empty: 'sent', fields, values })

  const labelNames = async (ctx: Context & S): Promise<string[]> =>
    [...(await labelsById(ctx.db, rowOf(ctx).label_ids)).values()].map(({ name }) => name)

  /** Members are listed, on the free tier for one of them; others are named. */
  const people = ({ name, summary, column, label, notice, idsOf }: People<S>) =>
    declared(name, summary, {
      of: update,
      empty: 'sent',
      instead: {
        of: [],
        params: { username: optional(text('Of an account that is not listed', { maxLength: 255 })) },
        async adapt({ db, tier }, { username, ...params }) {
          if (username === undefined || username === '') return params
          const user = await userByUsername(db, String(username).replace(/^@/, ''))
          if (!user) throw invalid({ username: ['is not the name of an account'] })
          const chosen = tier === 'free' ? [] : ((params[column] as number[] | undefined) ?? [])
          return { ...params, [column]: [...chosen.filter(id => id !== 0), user.id] }
        },
      },
      fields: async ctx => {
        const chosen = await usersById(ctx.db, idsOf(ctx))
        const members = await memberChoices(ctx, ctx.project, [...chosen.values()])
        return [
          ctx.tier === 'free'
            ? { name: column, label, control: 'radio', hint: '', ...moreOf(ctx, [['0', 'Nobody'], ...members]) }
            : { name: column, label, control: 'checkboxes', hint: '', ...moreOf(ctx, members) },
          {
            name: 'username',
            label: 'Another account',
            hint: 'Its username.',
            suggested: await suggestedAccounts(ctx),
            suggestedFrom: addressOf(ctx, `/edit/${name}`),
          },
        ]
      },
      values: ctx => ({ [column]: ctx.tier === 'free' ? (idsOf(ctx)[0] ?? 0) : idsOf(ctx) }),
      ...(notice !== undefined && { notice }),
    })

  const labels = attribute(
    'labels',
    `Choose the labels of ${noun}`,
    async ctx => [
      {
        name: 'labels',
        label: 'Labels',
        control: 'checkboxes',
        hint: '',
        ...moreOf(ctx, await labelChoices(ctx, planningPlace(ctx.project), await labelNames(ctx))),
      },
      { name: 'add_labels', label: 'New labels', hint: 'Several with commas.' },
    ],
    async ctx => ({ labels: await labelNames(ctx) }),
  )

  const milestone = attribute(
    'milestone',
    `Choose the milestone of ${noun}`,
    async ctx => [
      {
        name: 'milestone_id',
        label: 'Milestone',
        hint: '',
        ...oneOf(ctx, await milestoneChoices(ctx, ctx.project, rowOf(ctx).milestone_id)),
      },
    ],
    ctx => ({ milestone_id: rowOf(ctx).milestone_id ?? 0 }),
  )

  const duration = (label: string): FieldSpec => ({
    name: 'duration',
    label,
    hint: 'Such as 1w 2d 3h 30m.',
    invalid: 'is no time: write weeks, days, hours or minutes, such as 1h 30m',
    autofocus: true,
  })

  const estimate = declared('estimate', `Set the estimated time of ${noun}`, {
    of: declarationOf(times, 'POST', /\/time_estimate$/),
    fields: () => [duration('Estimate')],
    notice: 'The estimate was set.',
  })

  const spent = declared('spent', `Add spent time to ${noun}`, {
    of: declarationOf(times, 'POST', /\/add_spent_time$/),
    fields: () => [duration('Time spent'), { name: 'summary', label: 'What was done' }],
    notice: 'The time was added.',
  })

  return { declared, attribute, people, labels, milestone, estimate, spent }
}
