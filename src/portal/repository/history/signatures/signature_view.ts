/** What pages say of the signatures of commits. */
import type { Doubt, JudgedSignature, VerificationStatus } from '../../../../code/repository/commits/signatures.ts'
import type { ObjectId } from '../../../../platform/git/index.ts'
import { keyIdOf } from '../../../../platform/openpgp/packets.ts'
import { chip } from '../../../../platform/pages/components/chip.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { projectPath } from '../../../../spaces/projects/pages/place.ts'
import { commitPage } from '../../addresses.ts'

type Placed = { readonly full_path: string }

/** The frame of the signature of one commit. */
export const SIGNATURE_FRAME = 'commit-signature'

/** The frame that brings the marks of a list. */
export const SIGNATURES_FRAME = 'commit-signatures'

/** The page of the signature of a commit. */
export const signaturePage = (project: Placed, id: ObjectId): string => `${commitPage(project, id)}/signature`

const markId = (id: ObjectId): string => `signature-${id}`

/** Says that a commit of a list is signed, until it is known what that is worth: where no script loads the marks, this link leads there. */
export const signedMark = (project: Placed, id: ObjectId): Html =>
  html`<span id="${markId(id)}"><a class="quiet" href="${signaturePage(project, id)}">${chip('Signed')}</a></span>`

/** Brings the marks of all signed commits of a list together, after the page; nothing where none is signed. */
export const marksFrame = (project: Placed, ids: readonly ObjectId[]): Html =>
  html`${ids.length > 0 && html`<turbo-frame id="${SIGNATURES_FRAME}" src="${projectPath(project, '/-/signatures')}?ids=${ids.join(',')}"></turbo-frame>`}`

/** What the frame is answered with: each mark goes to its commit. */
export const marks = (project: Placed, judged: readonly JudgedSignature[]): Html =>
  html`<turbo-frame id="${SIGNATURES_FRAME}">${judged.map(signature => html`<turbo-stream action="update" target="${markId(signature.id)}"><template>${markLink(project, signature)}</template></turbo-stream>`)}</turbo-frame>`

/** The mark of a signature, which leads to what there is to say about it. */
export const markLink = (project: Placed, signature: JudgedSignature): Html =>
  html`<a class="quiet" href="${signaturePage(project, signature.id)}" title="${reasonOf(signature)}">${mark(signature)}</a>`

const mark = ({ status }: JudgedSignature): Html =>
  status === 'verified' ? chip('Verified', 'success', 'shield-check') : chip('Unverified', 'attention', 'shield')

const statuses: Readonly<Record<VerificationStatus, string>> = {
  verified: 'The account whose address the commit names has signed it.',
  unverified: 'The signature does not show who made the commit.',
  unverified_key: 'The key has no confirmed address of the user who added it.',
  unknown_key: 'No user of this instance has added the key.',
  same_user_different_email: 'The address of the committer belongs to the user who has the key, but is not in the key.',
  other_user: 'The address of the committer is not a confirmed one of the user who has the key.',
  multiple_signatures: 'There is more than one signature, which leaves open which of them counts.',
}

const doubts: Readonly<Record<Doubt, string>> = {
  malformed: 'The signature is damaged.',
  too_large: 'The signature or the commit is too large to be checked.',
  not_checked: 'The signature could not be checked in time. Later it may be.',
  does_not_fit: 'The signature does not fit: the commit is not what was signed, or the key may not sign, not any more or not in this way.',
  key_expired: 'The commit was made after the key had expired.',
  account_inactive: 'The account of the user who has the key is not active.',
  address_not_confirmed: statuses.unverified_key,
}

/** Why a signature is verified, or is not: one sentence. */
export function reasonOf({ type, status, doubt }: JudgedSignature): string {
  if (type === 'X509') return 'Signatures of X.509 are not checked.'
  return doubt === undefined ? statuses[status] : doubts[doubt]
}

/** The mark of a commit's own page, which opens what there is to say about it. */
export const signatureDetails = (signature: JudgedSignature): Html =>
  html`<turbo-frame id="${SIGNATURE_FRAME}" target="_top"><details><summary>${mark(signature)}</summary>${signatureFacts(signature)}</details></turbo-frame>`

/** All there is to say about a signature. */
export function signatureFacts({ type, keyName, gpgKey, userId, owner, ...rest }: JudgedSignature): Html {
  const primary = gpgKey && keyIdOf(gpgKey.fingerprint).toUpperCase()
  const [keyLabel, key] = type === 'SSH' ? ['SSH key', keyName && `SHA256:${keyName}`] : ['GPG key', keyName]
  return html`<p>${reasonOf({ type, ...rest })}</p>
<dl class="facts-list">${key !== undefined && html`<dt>${keyLabel}</dt><dd class="mono break">${key}</dd>`}
${primary !== undefined && primary !== keyName && html`<dt>Subkey of</dt><dd class="mono break">${primary}</dd>`}
${userId && html`<dt>Name in the key</dt><dd class="break">${userId.name} ${userId.email !== '' && html`&lt;${userId.email}&gt;`}</dd>`}
${owner && html`<dt>Added by</dt><dd><a href="/${owner.username}">${owner.name}</a></dd>`}</dl>`
}

/** The page of a signature. */
export const signatureBody = (signature: JudgedSignature): Html => html`<p>${mark(signature)}</p>${signatureFacts(signature)}`
