/**
 * The host name in the token URIs of the sample network. It is not in DNS: the service maps it to the running
 * sample.
 */
export const sampleHost = 'sample.ridgeline.test'

const site = `http://${sampleHost}/nft`

/** A token of the collection `Every Kind of Link`: its URI and the expected result of reading it. */
type LinkCase = {
  readonly key: string
  readonly uri: string
  /** The expected index status, or `INDEXED`. */
  readonly status: string
}

const json = (value: unknown): string => JSON.stringify(value)
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** A `data:` URI with the value as base64 JSON. */
const dataJson = (value: unknown): string => `data:application/json;base64,${base64(json(value))}`

/** An SVG with scripts that run if it is opened as a page. */
export const scriptedSvg = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" onload="alert(\'onload\')">',
  '<script>alert("script")</script>',
  '<rect width="96" height="96" fill="#7a1f2b"/>',
  '<a href="javascript:alert(\'link\')"><circle cx="48" cy="48" r="30" fill="#f4c7cd"/></a>',
  '<foreignObject width="96" height="96"><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;alert(\'frame\')&lt;/script&gt;"/></foreignObject>',
  '</svg>',
].join('')

const plainSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#1d3b4f"/><path d="M8 80 36 30l18 28 10-14 24 36z" fill="#9fc3d6"/></svg>'

/** The gateway folder of the network's own content: a valid content id. */
export const ipfsFolder = 'bafybeigblbtmx6jyi3lv6gvf3rem6mqhvxfmdv6dkvgljjqynlt3vnapc4'

/** Every kind of token URI. The token id is the position in this list, from 1. */
export const linkCases: readonly LinkCase[] = [
  { key: 'good', uri: `${site}/good/1.json`, status: 'INDEXED' },
  { key: 'slow', uri: `${site}/slow/1.json`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'stalled', uri: `${site}/stalled/1.json`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'huge', uri: `${site}/huge/1.json`, status: 'METADATA_CONTENT_TOO_LARGE' },
  { key: 'huge when unpacked', uri: `${site}/bomb/1.json`, status: 'METADATA_CONTENT_TOO_LARGE' },
  { key: 'throttled', uri: `${site}/throttled/1.json`, status: 'THROTTLED_TOKEN_URI' },
  { key: 'missing', uri: `${site}/missing/1.json`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'broken server', uri: `${site}/unwell/1.json`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'text', uri: `${site}/text/1.json`, status: 'INVALID_METADATA_JSON' },
  { key: 'cut JSON', uri: `${site}/cut/1.json`, status: 'INVALID_METADATA_JSON' },
  { key: 'web page', uri: `${site}/page/1.html`, status: 'INVALID_METADATA_JSON' },
  { key: 'list', uri: `${site}/list/1.json`, status: 'INVALID_METADATA' },
  { key: 'number', uri: `${site}/number/1.json`, status: 'INVALID_METADATA' },
  { key: 'redirect', uri: `${site}/redirect/good`, status: 'INDEXED' },
  { key: 'redirect to a private address', uri: `${site}/redirect/private`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'redirect to link-local', uri: `${site}/redirect/link-local`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'redirect loop', uri: `${site}/redirect/loop`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'seven redirects', uri: `${site}/redirect/7`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'ipfs', uri: `ipfs://${ipfsFolder}/1.json`, status: 'INDEXED' },
  { key: 'ipfs twice', uri: `ipfs://ipfs/${ipfsFolder}/2.json`, status: 'INDEXED' },
  { key: 'ipfs missing', uri: `ipfs://${ipfsFolder}/none.json`, status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'no such host', uri: 'https://nowhere.ridgeline.invalid/1.json', status: 'UNREACHABLE_TOKEN_URI' },
  { key: 'empty', uri: '', status: 'INVALID_TOKEN_URI' },
  { key: 'no URI', uri: 'the picture is in the post', status: 'INVALID_TOKEN_URI' },
  { key: 'no host', uri: '/nft/good/1.json', status: 'INVALID_TOKEN_URI' },
  { key: 'ftp', uri: `ftp://${sampleHost}/nft/good/1.json`, status: 'INVALID_TOKEN_URI_SCHEME' },
  {
    key: 'arweave',
    uri: 'ar://3r0f3MN8lJ6lLyzzsNEjnaTGOPKsm0lRxXvvzVYOtbA',
    status: 'INVALID_TOKEN_URI_SCHEME',
  },
  { key: 'script', uri: 'javascript:alert(1)', status: 'INVALID_TOKEN_URI_SCHEME' },
  { key: 'file', uri: 'file:///etc/passwd', status: 'INVALID_TOKEN_URI_SCHEME' },
  {
    key: 'data in base64',
    uri: dataJson({ name: 'Stored in base64', image: `data:image/svg+xml;base64,${base64(plainSvg)}` }),
    status: 'INDEXED',
  },
  {
    key: 'data in percent signs',
    uri: `data:application/json,${encodeURIComponent(json({ name: 'Größe 100 %', image: `data:image/svg+xml,${encodeURIComponent(plainSvg)}` }))}`,
    status: 'INDEXED',
  },
  {
    key: 'data as it is',
    uri: `data:application/json;utf8,${json({ name: 'Unescaped #1', description: '50 % off' })}`,
    status: 'INDEXED',
  },
  { key: 'data not base64', uri: 'data:application/json;base64,@@@@', status: 'INVALID_METADATA_JSON' },
  { key: 'data of text', uri: 'data:text/plain,hello', status: 'INVALID_METADATA_JSON' },
  { key: 'data of null', uri: 'data:application/json,null', status: 'INVALID_METADATA' },
  {
    key: 'scripted picture',
    uri: dataJson({ name: 'Scripted picture', image: `${site}/picture/scripted.svg` }),
    status: 'INDEXED',
  },
  {
    key: 'scripted picture in data',
    uri: dataJson({ name: 'Scripted data', image: `data:image/svg+xml;base64,${base64(scriptedSvg)}` }),
    status: 'INDEXED',
  },
  {
    key: 'picture is a web page',
    uri: dataJson({ name: 'No picture', image: `${site}/picture/page.png` }),
    status: 'INDEXED',
  },
  {
    key: 'picture missing',
    uri: dataJson({ name: 'Picture missing', image: `${site}/picture/none.png` }),
    status: 'INDEXED',
  },
  {
    key: 'picture huge',
    uri: dataJson({ name: 'Picture huge', image: `${site}/picture/huge.png` }),
    status: 'INDEXED',
  },
  {
    key: 'picture at a private address',
    uri: dataJson({ name: 'Picture elsewhere', image: 'http://10.0.0.1/picture.png' }),
    status: 'INDEXED',
  },
  {
    key: 'picture on the way to a private address',
    uri: dataJson({ name: 'Picture elsewhere', image: `${site}/redirect/private` }),
    status: 'INDEXED',
  },
  {
    key: 'bitmap',
    uri: dataJson({ name: 'Bitmap', image: `${site}/picture/1.png` }),
    status: 'INDEXED',
  },
  { key: 'other fields', uri: `${site}/mixed/1.json`, status: 'INDEXED' },
  { key: 'deep', uri: `${site}/deep/1.json`, status: 'INDEXED' },
  { key: 'counting', uri: `${site}/counting/1.json`, status: 'INDEXED' },
  {
    key: 'credentials',
    uri: `http://user:secret@${sampleHost}/nft/good/2.json`,
    status: 'UNREACHABLE_TOKEN_URI',
  },
]

/** Token URIs at addresses from which no service may fetch: the collection `Private Places`. */
export const privateUris: readonly string[] = [
  'http://10.0.0.1/nft.json',
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1:4401/nft/good/1.json',
  'http://localhost:4401/nft/good/1.json',
  'http://[::1]:4401/nft/good/1.json',
  'http://0.0.0.0:4401/nft/good/1.json',
  'http://192.168.1.1/nft.json',
  'http://172.16.0.1/nft.json',
  'http://100.100.100.200/latest/meta-data/',
  'http://0x7f.1:4401/nft/good/1.json',
  'http://2130706433:4401/nft/good/1.json',
  'http://0177.0.0.1:4401/nft/good/1.json',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
  'http://[64:ff9b::a9fe:a9fe]/latest/meta-data/',
  'http://[::169.254.169.254]/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fe80::1]/nft.json',
  'http://224.0.0.1/nft.json',
  'http://127.0.0.1.nip.ridgeline.invalid/nft.json',
]

const image = '<img src=x onerror=alert(1)>'
const script = '"><script>alert(2)</script>'

/** Texts that a careless page would execute. */
export const hostileTexts = { image, script, turned: 'safe\u202Egnp.exe', zeros: 'nothing\0more' } as const

/** Token URIs with such texts in the metadata: the collection named after `hostileTexts.image`. */
export const hostileUris: readonly string[] = [
  dataJson({
    name: image,
    description: `${script} <svg/onload=alert(3)>`,
    external_url: 'javascript:alert(4)',
    image: `data:image/svg+xml;base64,${base64(scriptedSvg)}`,
    attributes: [{ trait_type: script, value: image }],
  }),
  dataJson({
    name: `${script}\u202Egnp.exe\0\u200B`,
    symbol: '<svg/onload=a()>',
    description: '[click](javascript:alert(5)) ![x](https://tracker.example/pixel.png)',
    image: 'data:text/html,<script>alert(6)</script>',
    animation_url: 'data:text/html;base64,PHNjcmlwdD5hbGVydCg3KTwvc2NyaXB0Pg==',
    background_color: 'red;background:url(javascript:alert(8))',
  }),
  `data:application/json,${encodeURIComponent('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"name":"__proto__","attributes":[{"trait_type":"__proto__","value":"toString"}]}')}`,
  `data:application/json,${encodeURIComponent('{"name":"lone \\ud800 surrogate","description":"\\u0000 \\u001b[31m red \\u202e turned","decimals":1e999,"image":"https://user:pw@pictures.example/a.png"}')}`,
  dataJson({
    name: 'n'.repeat(600),
    description: 'A very long word: '.concat('w'.repeat(1_500)),
    attributes: Array.from({ length: 40 }, (_, index) => ({ trait_type: `Trait ${index}`, value: index })),
  }),
  `${site}/hostile/1.json`,
]
