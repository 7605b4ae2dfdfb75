/** A combination of values that the chart must not render: what it is, the example it begins with, what is set, the error. */
type Refused = readonly [what: string, file: string, set: readonly string[], sentence: string]

const S = 'sqlite.yaml'
const P = 'postgres.yaml'

export const REFUSED: readonly Refused[] = [
  // Money
  ['several pods on one SQLite file', S, ['replicas=2'], 'replicas is above 1'],
  [
    'autoscaling of SQLite',
    S,
    ['autoscaling.enabled=true'],
    'autoscaling.enabled is true, but database.kind is sqlite',
  ],
  ['a second pod beside the first during an update of SQLite', S, ['rollout.maxSurge=1'], 'rollout.maxSurge is given'],
  ['SQLite without a volume', S, ['persistence.enabled=false'], 'persistence.enabled is false'],
  ['a volume that is ephemeral too', S, ['persistence.ephemeral=true'], 'persistence.ephemeral is true'],
  ['SQLite on a network file system', S, ['persistence.accessMode=ReadWriteMany'], '/persistence/accessMode'],
  ['PostgreSQL without its address', P, ['database.existingSecret='], 'database.existingSecret is empty'],
  ['PostgreSQL without a shared master key', P, ['masterKey.existingSecret='], 'masterKey.existingSecret is empty'],
  [
    'an address of PostgreSQL that SQLite would ignore',
    P,
    ['database.kind=sqlite', 'replicas=1'],
    'database.existingSecret is given',
  ],
  ['a Valkey that SQLite would ignore', S, ['valkey.existingSecret=x'], 'valkey.existingSecret is given'],
  [
    'a drain longer than the grace period',
    P,
    ['terminationGracePeriodSeconds=60'],
    'terminationGracePeriodSeconds is 60',
  ],
  [
    'a grace period without the time to settle',
    P,
    ['drain.timeoutSeconds=100', 'drain.delaySeconds=5', 'terminationGracePeriodSeconds=134'],
    'drain.timeoutSeconds and 30 s to settle are 135',
  ],
  ['a drain that the gateway would refuse', P, ['drain.delaySeconds=601'], '/drain/delaySeconds'],
  [
    'fewer pods at most than at least',
    P,
    ['autoscaling.enabled=true', 'autoscaling.maxReplicas=1'],
    'autoscaling.maxReplicas is below',
  ],
  [
    'autoscaling by nothing',
    P,
    ['autoscaling.enabled=true', 'autoscaling.cpuUtilization=0'],
    'autoscaling.openRequests and autoscaling.cpuUtilization',
  ],
  [
    'two configuration files',
    P,
    ['config.SLUICE_CONFIG=/etc/other.yaml'],
    'config.SLUICE_CONFIG is set by the chart: use configFile.existingConfigMap',
  ],
  // Secrets
  [
    'a literal key of a bucket',
    S,
    ['config.SLUICE_BACKUP_S3_SECRET_KEY=abc'],
    'config.SLUICE_BACKUP_S3_SECRET_KEY is a secret',
  ],
  ['a literal master key', P, ['masterKey=abc'], '/masterKey'],
  ['a literal password', S, ['rootPassword.value=abc'], '/rootPassword'],
  [
    'a literal address of the database',
    P,
    ['config.DATABASE_URL=postgres://a:b@c/d'],
    'config.DATABASE_URL is a secret',
  ],
  ['a literal address of Valkey', P, ['config.SLUICE_VALKEY_URL=redis://:a@b'], 'config.SLUICE_VALKEY_URL is a secret'],
  ['a literal token for metrics', S, ['config.SLUICE_METRICS_TOKEN=abc'], 'config.SLUICE_METRICS_TOKEN is a secret'],
  ['a literal key of a collector', S, ['config.SLUICE_OTLP_HEADERS=a=b'], 'config.SLUICE_OTLP_HEADERS is a secret'],
  [
    'a literal master key among more variables',
    S,
    ['extraEnv=[{"name":"SLUICE_MASTER_KEY","value":"x"}]'],
    'extraEnv has the value of SLUICE_MASTER_KEY',
  ],
  [
    'a number that Helm would write as 3.3554432e+07',
    S,
    ['extraEnv=[{"name":"SLUICE_BODY_LIMIT","value":33554432}]'],
    '/extraEnv/0/value',
  ],
  // Values that the chart sets itself
  [
    'a drain beside the one that the grace period is computed from',
    S,
    ['config.SLUICE_DRAIN_TIMEOUT=5'],
    'config.SLUICE_DRAIN_TIMEOUT is set by the chart: use drain.timeoutSeconds',
  ],
  ['another port', S, ['config.PORT=80'], 'config.PORT is set by the chart'],
  ['another folder', S, ['config.SLUICE_DATA_DIR=/x'], 'config.SLUICE_DATA_DIR is set by the chart'],
  [
    'a drain among more variables',
    S,
    ['extraEnv=[{"name":"SLUICE_DRAIN_DELAY","value":"1"}]'],
    'extraEnv names SLUICE_DRAIN_DELAY',
  ],
  [
    'one variable twice',
    S,
    ['config.SLUICE_MAX_REQUESTS=100', 'extraEnv=[{"name":"SLUICE_MAX_REQUESTS","value":"1"}]'],
    'extraEnv names SLUICE_MAX_REQUESTS',
  ],
  [
    'a secret among more variables that has a value of its own',
    P,
    ['extraEnv=[{"name":"SLUICE_VALKEY_URL","valueFrom":{"secretKeyRef":{"name":"a","key":"b"}}}]'],
    'extraEnv names SLUICE_VALKEY_URL, which the chart sets: use valkey.existingSecret',
  ],
  // Values without an effect
  ['metrics without a token', S, ['serviceMonitor.enabled=true'], 'metrics.existingSecret is empty'],
  ['a route without a gateway', S, ['httpRoute.enabled=true'], 'httpRoute.parentRefs is empty'],
  ['an Ingress without a host', S, ['ingress.enabled=true'], 'ingress.hosts is empty'],
  ['no image', S, ['image.repository='], 'image.repository is empty'],
  ['half a digest', S, ['image.digest=sha256:abc'], '/image/digest'],
  ['a value that does not exist', S, ['replica=2'], "'replica' not allowed"],
  ['another database', S, ['database.kind=mysql'], '/database/kind'],
  ['a name that Kubernetes would refuse', S, ['rootPassword.existingSecret=My_Secret'], '/rootPassword/existingSecret'],
]
