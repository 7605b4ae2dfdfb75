/** A kind of vulnerability that gateways of this family have had, and this project's defence. */
export interface SecurityClass {
  readonly id: string
  readonly hole: string
  /** Why there is no test: the part that could be vulnerable does not exist. Removed when there is a test. */
  readonly notYet?: string
}

/** The numbers are test tags, and used in `docs/threat-model.md`. */
export const SECURITY_CLASSES: readonly SecurityClass[] = [
  { id: 'S1', hole: 'The client chooses the upstream host and receives the key' },
  {
    id: 'S2',
    hole: 'Requests to inner addresses through a custom host or base URL; empty configuration that trusts local',
  },
  { id: 'S3', hole: 'Requests to inner addresses through any URL that a user or administrator can set' },
  { id: 'S4', hole: 'A bypass of the address filter: redirects, odd encodings, rebinding' },
  { id: 'S5', hole: 'Second-order requests and leaking secrets through administrators’ options' },
  { id: 'S6', hole: 'SQL injection through keys, sort or search' },
  { id: 'S7', hole: 'Wildcard search as denial of service' },
  { id: 'S8', hole: 'The route that is checked differs from the route that is served' },
  { id: 'S9', hole: 'Collision in an identity cache' },
  { id: 'S10', hole: 'Mass assignment, change of one’s own role' },
  { id: 'S11', hole: 'Access to another user’s object by its id' },
  { id: 'S12', hole: 'A payment that is forged, or counted twice' },
  { id: 'S13', hole: 'A bypass of step-up verification' },
  { id: 'S14', hole: 'Stored script in pages, notices, names and mails' },
  {
    id: 'S15',
    hole: 'Command execution by registering a tool server',
    notYet: 'No tool servers are run, and no call of the API starts a process.',
  },
  { id: 'S16', hole: 'A check that passes when a credential is missing or its checker is unavailable' },
  { id: 'S17', hole: 'Template injection' },
  {
    id: 'S18',
    hole: 'Escape from a sandbox for custom code',
    notYet: 'No code of users or administrators is run, and there is no hook for it.',
  },
  { id: 'S19', hole: 'One secret used for two purposes' },
  { id: 'S20', hole: 'Secrets in logs, errors, exports and replies' },
  { id: 'S21', hole: 'Credentials in CORS for any origin' },
  { id: 'S22', hole: 'A well-known first password' },
  { id: 'S23', hole: 'Spending the same quota twice in parallel' },
  { id: 'S24', hole: 'Overflow of amounts of money' },
  { id: 'S25', hole: 'A budget avoided by another route' },
  { id: 'S26', hole: 'The wrong user is charged after a reuse of context' },
  { id: 'S27', hole: 'Huge or compressed bodies, endless streams, slow readers' },
  { id: 'S28', hole: 'Rate limits that grow, fail open or believe a forged address' },
  { id: 'S29', hole: 'Headers that are forwarded, in loops or to the wrong side' },
  { id: 'S30', hole: 'Supply chain: code that runs at install, packages that move' },
  { id: 'S31', hole: 'Distinguishing users or ids by replies or timing' },
  { id: 'S32', hole: 'A suffix of a key picks a privileged channel' },
  { id: 'S33', hole: 'A masked value written back as the secret' },
  { id: 'S34', hole: 'Open redirects, and signing in or out by a foreign page' },
  { id: 'S35', hole: 'Formulas in exported tables' },
  { id: 'S36', hole: 'Prompts that stay in the browser after sign-out' },
  { id: 'S37', hole: 'A cheaper or foreign price group for a key' },
  { id: 'S38', hole: 'Another program, or a second gateway, on the same files makes the gateway lose what it wrote' },
  {
    id: 'S39',
    hole: 'A GET that changes something through a mere link or picture; codes without a purpose or a recipient',
  },
  { id: 'S40', hole: 'Two parsers that read one body differently: case, escapes, doubles, boundaries' },
  { id: 'S41', hole: 'A charge that a client shapes by leaving early, reordering or overstating' },
  { id: 'S42', hole: 'A field that names another model, provider or paid extra than what was checked and held' },
  { id: 'S43', hole: 'Work and memory before authentication' },
  { id: 'S44', hole: 'Regular expressions whose time grows with the square of outside input' },
  { id: 'S45', hole: 'A clock that jumps and comes back: limits that stop working until the wrong time is reached' },
  { id: 'S46', hole: 'A lost secret or an emptied file silently replaced by a new one' },
  { id: 'S47', hole: 'A gift that a user gets repeatedly by deleting the account and signing up again' },
  { id: 'S48', hole: 'A limit on failures that locks out the user it protects' },
  { id: 'S49', hole: 'File descriptors run out: answers are cut and channels are blamed' },
  { id: 'S50', hole: 'An object stored at the provider, reached by its id through the shared key' },
]
