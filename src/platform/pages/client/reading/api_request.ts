/**
 * Sends a request of the pages about the API with the session of the person who reads, and shows the answer. The fields are made from the table of
 * parameters beside it. Writes carry the page's CSRF token, as all that scripts of ours send.
 */

/** A parameter, as its row of the table has it. */
interface Param {
  readonly name: string
  readonly in: string
  readonly type: string
  readonly required: boolean
  readonly values: readonly string[]
}

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** A part of a path. What is encoded already, as it stands in examples (`group%2Fproject`), stays as it is. */
const encoded = (value: string): string => (/%[0-9a-f]{2}/i.test(value) && !/[^\w.~%-]/.test(value) ? value : encodeURIComponent(value))

/** Parameters of objects are sent with the object that they are part of. */
const isWithin = (name: string): boolean => /\[.+\]/.test(name)

let made = 0

class ApiRequest extends HTMLElement {
  connectedCallback(): void {
    if (this.childElementCount > 0) return
    const button = make(
      'button',
      { type: 'button', class: 'btn btn-sm', 'aria-expanded': 'false', 'aria-label': `Try it: ${this.dataset.name}` },
      'Try it',
    )
    button.addEventListener('click', () => {
      const form = this.querySelector('form') ?? this.#form()
      form.hidden = button.ariaExpanded === 'true'
      button.ariaExpanded = String(!form.hidden)
      if (!form.hidden) form.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
    })
    this.append(button)
  }

  get #method(): string {
    return this.dataset.method ?? 'GET'
  }

  get #params(): readonly Param[] {
    const rows = this.closest('.api-operation')?.querySelectorAll<HTMLElement>('[data-param]') ?? []
    return [...rows]
      .map(({ dataset }) => ({
        name: dataset.param ?? '',
        in: dataset.in ?? '',
        type: dataset.type ?? '',
        required: dataset.required !== undefined,
        values: JSON.parse(dataset.values ?? '[]') as string[],
      }))
      .filter(({ name }) => !isWithin(name))
  }

  #form(): HTMLFormElement {
    const form = make('form', { class: 'api-form', 'aria-label': `Try it: ${this.dataset.name}` })
    const params = this.#params
    const fieldsOf = (wanted: readonly Param[]) => wanted.map(param => this.#field(param))
    form.append(...fieldsOf(params.filter(({ required }) => required)))
    const others = params.filter(({ required }) => !required)
    if (others.length > 0)
      form.append(make('details', {}, make('summary', {}, `${others.length} optional parameters`), ...fieldsOf(others)))
    if (this.#method !== 'GET') form.append(make('p', { class: 'muted small' }, 'This is carried out on this instance, in your name.'))
    form.append(
      make('button', { class: this.#method === 'DELETE' ? 'btn btn-sm btn-danger' : 'btn btn-sm btn-primary' }, `Send ${this.#method}`),
    )
    form.append(make('div', { 'data-answer': '', 'aria-live': 'polite' }))
    form.addEventListener('submit', event => {
      event.preventDefault()
      void this.#send(form)
    })
    this.append(form)
    return form
  }

  #field({ name, type, required, values }: Param): HTMLElement {
    const id = `api-request-${++made}`
    const common = { id, name, class: 'form-control input-sm', ...(required ? { required: '' } : {}) }
    const choices = type === 'boolean' ? ['true', 'false'] : type.startsWith('list') ? [] : values
    const isFile = type.includes('file')
    const field =
      choices.length > 0
        ? make(
            'select',
            { ...common, class: 'form-control form-select input-sm' },
            ...(required ? [] : ['']).concat(choices).map(value => make('option', { value }, value)),
          )
        : isFile
          ? make('input', { ...common, type: 'file' })
          : make('input', { ...common, type: 'text', autocomplete: 'off', spellcheck: 'false' })
    const hint = type.startsWith('list') && !isFile ? ' (JSON, or values with commas)' : /object/.test(type) ? ' (JSON)' : ''
    return make('div', { class: 'api-field' }, make('label', { for: id }, `${name}${hint}`), field)
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const answer = form.querySelector<HTMLElement>('[data-answer]')
    if (!answer) return
    const given = new FormData(form)
    const isGiven = ({ name }: Param) => {
      const value = given.get(name)
      return value instanceof File ? value.size > 0 : value !== null && value !== ''
    }
    const params = this.#params.filter(isGiven)
    const path = (this.dataset.address ?? '').replaceAll(/([:*])([A-Za-z_]\w*)/g, (_whole, mark: string, name: string) => {
      const value = String(given.get(name) ?? '')
      return mark === '*' ? value.split('/').map(encoded).join('/') : encoded(value)
    })
    const query = new URLSearchParams()
    for (const param of params.filter(param => param.in === 'query'))
      for (const value of [typedValueOf(param, String(given.get(param.name)))].flat())
        query.append(param.name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    const inBody = params.filter(param => param.in === 'body')
    const hasFile = inBody.some(({ type }) => type.includes('file'))
    const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content
    const headers: Record<string, string> = token === undefined || this.#method === 'GET' ? {} : { 'X-CSRF-Token': token }
    let body: BodyInit | undefined
    if (hasFile) {
      const multipart = new FormData()
      for (const { name } of inBody) multipart.append(name, given.get(name) ?? '')
      body = multipart
    } else if (inBody.length > 0) {
      headers['Content-Type'] = 'application/json'
      body = JSON.stringify(Object.fromEntries(inBody.map(param => [param.name, typedValueOf(param, String(given.get(param.name)))])))
    }
    const address = `${path}${query.size > 0 ? `?${query}` : ''}`
    try {
      const response = await fetch(address, { method: this.#method, headers, ...(body === undefined ? {} : { body }) })
      this.#show(answer, `${this.#method} ${address}`, `${response.status} ${response.statusText}`, await shownBody(response))
    } catch (error) {
      this.#show(answer, `${this.#method} ${address}`, 'No answer', String(error))
    }
  }

  #show(answer: HTMLElement, request: string, status: string, body: string): void {
    answer.replaceChildren(
      make('p', { class: 'small' }, make('code', {}, request), ' ', make('strong', { 'data-status': '' }, status)),
      make('pre', { class: 'code', tabindex: '0', 'aria-label': 'Answer' }, make('code', {}, body === '' ? '(no body)' : body)),
    )
  }
}

/** A value that was typed, as JSON has it. */
function typedValueOf({ type }: Param, typed: string): unknown {
  if (/list|object|any value/.test(type)) {
    try {
      return JSON.parse(typed)
    } catch {
      return type.startsWith('list') ? typed.split(',').map(value => value.trim()) : typed
    }
  }
  if (type === 'boolean') return typed === 'true'
  return /^(integer|number)/.test(type) && typed.trim() !== '' && !Number.isNaN(Number(typed)) ? Number(typed) : typed
}

/** Characters of an answer that are shown. */
const MOST_SHOWN = 200_000

async function shownBody(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text/.test(type)) return response.headers.has('content-type') ? `(${type})` : ''
  const text = await response.text()
  let shown = text
  if (type.includes('json')) {
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      // It is shown as it came.
    }
  }
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}\n…` : shown
}

customElements.define('api-request', ApiRequest)

export {}
