/** An endpoint on its chapter's page. */
import { whoMay } from '../../platform/access/rules/in_words.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { Entity, Operation, Success } from './chapters.ts'
import type { Field, Param } from './fields.ts'
import type { Sample } from './samples.ts'

/** A method, in the colour of its danger. */
export const methodChip = (method: string): Html =>
  chip(method, method === 'GET' ? 'accent' : method === 'DELETE' ? 'danger' : method === 'POST' ? 'success' : 'attention')

/** A value as JSON, in one line. */
const inline = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

/** A sentence in which code stands between backticks. */
export const inCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** JSON to read. */
export const jsonBlock = (value: unknown): Html => html`<pre class="code" tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`

const placesOfParams = { path: 'in the path', query: 'in the query', body: 'in the body' } as const

const tierChip = (tier: string | undefined): Html | undefined =>
  tier === undefined ? undefined : chip(tier.charAt(0).toUpperCase() + tier.slice(1), 'done')

/** All that is known of a parameter or field besides its name and type. */
const saysOf = ({ says, values, standard, limits, example, deprecated, tier }: Field): Html =>
  html`${tierChip(tier)} ${deprecated && html`${chip('Deprecated', 'attention')} `}${inCode(says)}${says && !says.endsWith('.') && '.'}${
    values.length > 0 && html` One of ${values.map((value, index) => html`${index > 0 && ', '}<code>${value}</code>`)}.`
  }${limits.length > 0 && ` ${limits.map((limit, index) => (index === 0 ? limit.charAt(0).toUpperCase() + limit.slice(1) : limit)).join(', ')}.`}${
    standard !== undefined && html` Default: ${inline(standard)}.`
  }${example !== undefined && html` Example: ${inline(example)}.`}`

const paramsTable = ({ params, summary }: Operation): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters: ${summary}"><table class="data api-fields"><thead><tr><th scope="col">Parameter</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead><tbody>${params.map(
    (param: Param) =>
      html`<tr data-param="${param.name}" data-in="${param.in}" data-type="${param.type}"${param.required && html` data-required`}${param.values.length > 0 && html` data-values="${JSON.stringify(param.values)}"`}><th scope="row"><code>${param.name}</code></th><td>${param.type}<div class="muted small">${placesOfParams[param.in]}, ${param.required ? html`<strong>required</strong>` : 'optional'}</div></td><td>${saysOf(param)}</td></tr>`,
  )}</tbody></table></div>`

const sampleView = (id: string, { label, code }: Sample, index: number): Html =>
  html`<details class="sample" name="sample-${id}"${index === 0 && html` open`}><summary>${label}</summary><div class="sample-code"><pre class="code" tabindex="0"><code>${code}</code></pre>${copyButton(`Copy ${label}`, code)}</div></details>`

const entityLink = (name: string): Html => html`<a href="#object-${name}">${name}</a>`

function answerLine({ status, says, isList, entities, mediaType }: Success): Html {
  const shown = entities.map((name, index) => html`${index > 0 && ' or '}${entityLink(name)}`)
  return html`<li><code>${status}</code> ${
    entities.length > 0
      ? html`${isList ? 'a page of ' : ''}${shown}`
      : says === 'Contents' && mediaType
        ? html`contents, <code>${mediaType}</code>`
        : says
  }</li>`
}

/** Scopes of a token that permit it. */
function tokenLine({ endpoint }: Operation): Html | undefined {
  if (!endpoint.dialect.credentials?.includes('private_token')) return undefined
  const scopes = ['api', ...(endpoint.method === 'GET' ? ['read_api'] : []), ...(endpoint.scopes ?? [])]
  return html`<li>Token with the scope ${scopes.map((scope, index) => html`${index > 0 && ' or '}<code>${scope}</code>`)}${endpoint.jobToken && ', or the token of a running job'}</li>`
}

/** The whole of an endpoint. */
export function operationView(operation: Operation, samples: readonly Sample[], canTry: boolean): Html {
  const { id, endpoint, summary, address, params, rules, successes, failures, ability, tier } = operation
  return html`<section class="api-operation" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="quiet" href="#${id}">${inCode(summary)}</a> ${tierChip(tier)}</h2>
<p class="api-address">${methodChip(endpoint.method)} <code>${address}</code> ${copyButton(`Copy the address of ${summary}`, address)}</p>
<div class="api-columns"><div>
${params.length > 0 ? paramsTable(operation) : html`<p class="muted">No parameters.</p>`}
${rules.length > 0 && html`<ul>${rules.map(rule => html`<li>${inCode(rule)}</li>`)}</ul>`}
<div class="api-facts"><div><h3>Who may</h3><ul>${whoMay(ability).map(sentence => html`<li>${sentence}</li>`)}${tokenLine(operation)}</ul></div>
<div><h3>Answers</h3><ul>${successes.map(answerLine)}${failures.length > 0 && html`<li>Errors: ${failures.map(({ name, status }, index) => html`${index > 0 && ', '}<a href="#error-${name}">${status}</a>`)}</li>`}</ul></div></div>
</div><div class="api-samples">${samples.map((sample, index) => sampleView(id, sample, index))}
${canTry && samples.length > 1 && html`<api-request data-method="${endpoint.method}" data-address="${address}" data-name="${summary}"></api-request>`}</div></div>
</section>`
}

/** An object with its fields and an example. */
export const entityView = ({ name, fields, example }: Entity): Html =>
  html`<section class="api-operation" id="object-${name}" aria-labelledby="object-${name}-title"><h3 id="object-${name}-title"><a class="quiet" href="#object-${name}">${name}</a></h3><div class="api-columns"><div class="scroll" tabindex="0" role="region" aria-label="Fields: ${name}"><table class="data api-fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead><tbody>${fields.map(
    field => html`<tr><th scope="row"><code>${field.name}</code></th><td>${field.type}</td><td>${saysOf(field)}</td></tr>`,
  )}</tbody></table></div><div class="api-samples">${example === undefined ? html`<p class="muted">No example.</p>` : jsonBlock(example)}</div></div></section>`
