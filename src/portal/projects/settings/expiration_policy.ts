/** The section of the settings that says which tags of images the project removes by itself. */
import { flag, integer, Nullable, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { type Failures, invalid } from '../../../platform/kernel/errors.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { html } from '../../../platform/pages/html.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import { type ExpirationPolicy, nextRunOf } from '../../../spaces/projects/attributes/expiration_policy.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import type { FormSection } from '../../settings_pages/declaration.ts'
import type { OfProject } from './declared.ts'

const policyOf = ({ project }: OfProject) => project.container_expiration_policy as unknown as ExpirationPolicy

const pattern = (about: string) => optional(Nullable(text(about, { maxLength: 255 })))

/** The parts of the policy, as the form asks for them. */
const params = {
  enabled: flag('Whether the policy is on', { default: false }),
  cadence: OneOf(['1d', '7d', '14d', '1month', '3month'], { description: 'How often the policy runs', examples: ['7d'] }),
  name_regex_delete: pattern('Regular expression of tags to remove'),
  name_regex_keep: pattern('Regular expression of tags to keep'),
  keep_n: optional(Nullable(integer('Number of tags to keep', { minimum: 1, maximum: 100 }))),
  older_than: optional(OneOf(['', '7d', '14d', '30d', '60d', '90d'], { description: 'Age of tags to remove; empty: any' })),
}

/** @throws Refusal 400 at the field whose pattern is none, where the policy is on */
function assertPatterns(sent: Readonly<Record<string, unknown>>): void {
  const failures: Failures = {}
  for (const name of ['name_regex_delete', 'name_regex_keep'])
    if (sent.enabled && sent[name] && !compiledPattern(String(sent[name]))) failures[name] = ['is not valid RE2 syntax']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

export const expirationPolicy: FormSection<OfProject> = {
  key: 'expiration_policy',
  title: 'Expiration policy of images',
  says: 'Removes old tags from the container registry by itself. The tag latest always stays.',
  of: updateProject,
  isShown: ({ project }) => project.container_registry_access_level !== 'disabled',
  values: ctx => {
    const { enabled, cadence, name_regex, name_regex_keep, keep_n, older_than } = policyOf(ctx)
    return { enabled, cadence, name_regex_delete: name_regex, name_regex_keep, keep_n, older_than: older_than ?? '' }
  },
  instead: {
    of: ['container_expiration_policy_attributes'],
    params,
    adapt: async (_ctx, sent) => {
      assertPatterns(sent)
      const { enabled, cadence, name_regex_delete, name_regex_keep, keep_n, older_than } = sent
      return {
        container_expiration_policy_attributes: {
          enabled,
          cadence,
          name_regex_delete: name_regex_delete || null,
          name_regex_keep: name_regex_keep || null,
          keep_n: keep_n ?? null,
          older_than: older_than || null,
        },
      }
    },
  },
  fields: [
    { name: 'enabled', label: 'Remove tags by this policy', hint: '' },
    {
      name: 'cadence',
      label: 'How often',
      control: 'select',
      hint: 'Counted from when it is switched on.',
      choices: [
        ['1d', 'Every day'],
        ['7d', 'Every week'],
        ['14d', 'Every two weeks'],
        ['1month', 'Every month'],
        ['3month', 'Every three months'],
      ],
    },
    {
      name: 'name_regex_delete',
      label: 'Tags to remove',
      hint: 'An RE2 pattern of the whole name: `.*` for all, `dev-.*` for those that begin so. Nothing goes without it.',
    },
    { name: 'name_regex_keep', label: 'Of these, tags to keep', hint: 'A pattern likewise; empty: none.' },
    { name: 'keep_n', label: 'Number of the newest to keep', hint: 'Of each image, of those that are to go; empty: none.' },
    {
      name: 'older_than',
      label: 'Only tags that are older than',
      control: 'select',
      hint: '',
      choices: [
        ['', 'Any age'],
        ['7d', '7 days'],
        ['14d', '14 days'],
        ['30d', '30 days'],
        ['60d', '60 days'],
        ['90d', '90 days'],
      ],
    },
  ],
  after: ctx => {
    const next = nextRunOf(policyOf(ctx), ctx.now)
    return html`${next !== null && html`<p class="muted">It runs next ${time(next)}.</p>`}`
  },
}
