/** The pages on which a user answers a device. */
import { meaningOfScope } from '../../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import type { DeviceRequest } from './queries.ts'

/** The address that devices show. */
export const DEVICE_PAGE = '/oauth/device'

/** Asks for the code that the device shows. */
export const codePage = (ctx: Context, typed: string, wrong = false): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Connect a device',
    width: 'narrow',
    ...(wrong ? { status: 400 } : {}),
    body: html`${wrong && html`<div class="notice danger" role="alert">${icon('alert')}<span>No device waits with this code. It may be mistyped, or older than ten minutes: then have the device show a new one.</span></div>`}
<p>A device or a program on a command line shows a code. Type it here to let it act for you.</p>
<form method="post" action="${DEVICE_PAGE}" data-turbo="false">
${csrfField(ctx)}
<div class="field"><label for="user_code">Code</label>
<input class="form-control" id="user_code" name="user_code" value="${typed}" maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="BCDF-GHJK"${wrong && html` aria-invalid="true"`} required autofocus></div>
<button class="btn btn-primary btn-block">Continue</button>
</form>`,
  })

/** Asks whether the device may act for the user. */
export const devicePage = (ctx: Context, { application_name, scopes }: DeviceRequest, typed: string): Promise<ByteAnswer> =>
  page(ctx, {
    title: `Connect ${application_name}?`,
    width: 'medium',
    body: html`<p>A device with <strong>${application_name}</strong> wants to use Ingot as <strong>${ctx.actor.user?.username}</strong>. It could then:</p>
<ul>${scopes.map(scope => html`<li>${meaningOfScope[scope]} (<code>${scope}</code>)</li>`)}</ul>
<div class="notice attention">${icon('alert')}<span>Agree only if you started this yourself, and the device in front of you shows <code>${typed.toUpperCase()}</code>. Someone who sent you this code would get your access.</span></div>
<form method="post" action="${DEVICE_PAGE}" data-turbo="false">
${csrfField(ctx)}
<input type="hidden" name="user_code" value="${typed}">
<div class="row"><button class="btn btn-primary" name="decision" value="allow">Connect</button>
<button class="btn" name="decision" value="deny">Deny</button></div>
</form>`,
  })

/** Says what comes of the answer. */
export const answeredPage = (ctx: Context, agreed: boolean): Promise<ByteAnswer> =>
  page(ctx, {
    title: agreed ? 'The device is connected' : 'The device was refused',
    width: 'narrow',
    body: agreed
      ? html`<p>It goes on by itself. You can close this page, and take the access back under <a href="/-/profile/applications">Applications</a>.</p>`
      : html`<p>It got no access. You can close this page.</p>`,
  })
