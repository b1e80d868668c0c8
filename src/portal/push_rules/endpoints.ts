/** The pages of push rules: of a project, of a group for its new projects, and of the instance for those of no such group. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { groupPushRules, instancePushRules, projectPushRules } from '../../spaces/push_rules/endpoints.ts'
import { type PushRuleRow, pushRuleOf } from '../../spaces/push_rules/queries.ts'
import type { InPushRule, InRuledPlace } from '../../spaces/push_rules/scope.ts'
import { adminPlace } from '../admin/place.ts'
import { administered } from '../admin/scope.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, projectHome } from '../things/homes.ts'

const PATH = '/-/settings/push_rules'

type Ruled = InEither & InRuledPlace
type One = InEither & InPushRule

const pattern = 'An RE2 pattern, found anywhere in the text.'

const fields: readonly FieldSpec[] = [
  {
    name: 'commit_message_regex',
    label: 'Messages must have',
    hint: `${pattern} \`^\` and \`$\` are the ends of a line; \`(?-m)\` before it makes them those of the message.`,
    placeholder: 'Fixes #\\d+',
    under: 'Commits',
  },
  { name: 'commit_message_negative_regex', label: 'Messages must not have', hint: pattern, placeholder: '^WIP' },
  { name: 'author_email_regex', label: 'Addresses of authors and committers must have', hint: pattern, placeholder: '@example\\.com$' },
  { name: 'member_check', label: 'Authors and committers are users', hint: 'Their addresses belong to accounts here, and are confirmed.' },
  { name: 'commit_committer_check', label: 'Committers push their own commits', hint: 'By an address that the account has confirmed.' },
  {
    name: 'reject_unsigned_commits',
    label: 'Pushed commits are signed',
    hint: 'Those that the server writes for a user, as merges, need no signature.',
  },
  {
    name: 'branch_name_regex',
    label: 'Names must have',
    hint: `${pattern} The default branch may have any name.`,
    placeholder: '^(feature|fix)/',
    under: 'Branches and tags',
  },
  { name: 'deny_delete_tag', label: 'Pushes delete no tags', hint: 'The API and pages do.' },
  { name: 'file_name_regex', label: 'Paths of new files must not have', hint: pattern, placeholder: '\\.(exe|jar)$', under: 'Files' },
  {
    name: 'prevent_secrets',
    label: 'No files that are called as secrets are',
    hint: 'Private keys, credentials of cloud tools, histories of shells.',
  },
  { name: 'max_file_size', label: 'Most MB of a file', hint: '0: any size.' },
]

/** The rules that are set, in words. */
const rulesView = (rule: PushRuleRow): Html => {
  const values = rule as unknown as Readonly<Record<string, unknown>>
  const set = fields.filter(({ name }) => values[name] !== null && values[name] !== '' && values[name] !== false && values[name] !== 0)
  if (set.length === 0) return html`<p>No rule is set: every push is taken.</p>`
  return html`<dl class="facts-list">${set.map(({ name, label }) => html`<dt>${label}</dt><dd>${values[name] === true ? 'yes' : html`<code>${String(values[name])}</code>`}</dd>`)}</dl>`
}

interface Kind {
  readonly home: Pick<typeof projectHome, 'route' | 'noun' | 'pathOf' | 'placeOf' | 'inPage'>
  /** After the path of the place. */
  readonly path: `/${string}`
  readonly api: typeof projectPushRules
  readonly purpose: string
}

function pushRulePages({ home, path, api, purpose }: Kind) {
  const [creation, change, removal] = [
    declarationOf(api, 'POST', /push_rule$/),
    declarationOf(api, 'PUT', /push_rule$/),
    declarationOf(api, 'DELETE', /push_rule$/),
  ]
  const scope = home.inPage(creation.scope) as Scope<Ruled>
  const inOne = home.inPage(change.scope) as Scope<One>
  const base = `${home.route}${path}` as `/${string}`
  const back = (ctx: InEither): string => `${home.pathOf(ctx)}${path}`
  const frame = (title: string) => (ctx: Context & InEither) => ({ title, place: home.placeOf(ctx, 'push_rules') })
  const shared = { of: change, fields: () => fields, next: back, cancel: back, empty: 'sent' as const }
  const adding = form<Ruled>({
    ...shared,
    of: creation,
    path: `${base}/new`,
    summary: `Set the push rules of ${home.noun}`,
    scope,
    values: () => ({ max_file_size: 0 }),
    notice: 'The rules were set.',
    button: 'Set rules',
    frame: frame('Set push rules'),
  })
  const changing = form<One>({
    ...shared,
    path: `${base}/edit`,
    summary: `Change the push rules of ${home.noun}`,
    scope: inOne,
    values: ({ pushRule }) => ({ ...pushRule }),
    notice: 'The rules were changed.',
    button: 'Save',
    frame: frame('Change push rules'),
  })
  return {
    show: pageEndpoint({
      route: `GET ${base}`,
      summary: `Show the push rules of ${home.noun}`,
      scope,
      can: creation.can as never,
      tier: 'premium',
      async run(input) {
        const ctx = input as Context & Ruled
        const rule = await pushRuleOf(ctx.db, ctx.ruled)
        const to = back(ctx)
        const remove = {
          to: `${to}/remove`,
          face: 'Remove',
          look: 'danger',
          label: 'Remove the push rules',
          asks: 'Remove the push rules?',
        } as const
        return page(ctx, {
          ...frame('Push rules')(ctx),
          heading: 'own',
          width: 'medium',
          body: html`<div class="heading"><h1>Push rules</h1><div class="row">${rule ? html`<a class="btn btn-primary" href="${to}/edit">Change rules</a>${actionButton(ctx, remove)}` : html`<a class="btn btn-primary" href="${to}/new">Set rules</a>`}</div></div>
${rule ? html`<p class="muted">${purpose}</p>${rulesView(rule)}` : empty({ icon: 'law', title: 'No push rules', says: purpose })}`,
        })
      },
    }),
    showAdding: adding.show,
    add: adding.submit,
    showChanging: changing.show,
    change: changing.submit,
    remove: action<One>({ route: `POST ${base}/remove`, of: removal, scope: inOne, next: back, notice: 'The rules were removed.' }),
  }
}

export const projectPushRulePages = pushRulePages({
  home: projectHome,
  path: PATH,
  api: projectPushRules,
  purpose: 'Pushes, and commits and merges by the API and pages, that do not keep to these rules are refused before anything moves.',
})

export const groupPushRulePages = pushRulePages({
  home: groupHome,
  path: PATH,
  api: groupPushRules,
  purpose: 'New projects in this group and below begin with these rules. Projects that are there keep their own.',
})

export const instancePushRulePages = pushRulePages({
  home: {
    route: '/admin',
    noun: 'the instance',
    pathOf: () => '/admin',
    placeOf: ctx => adminPlace('push_rules', ctx),
    inPage: api => administered(api),
  },
  path: '/push_rules',
  api: instancePushRules,
  purpose: 'New projects begin with these rules where no group above has some. Projects that are there keep their own.',
})
