import cf from 'cloudfront';

// Refuses what the origins would refuse, before it costs anything there: requests that are too
// large, and requests for a route with a key that cannot be a key of the stage. Sends the uploads
// that Lambda accepts to the API; a body without a declared length goes to the uploads container,
// which checks its size.
function handler(event) {
  const request = event.request;
  const length = request.headers['content-length'];
  if (length && Number(length.value) > MAX_BODY_BYTES) {
    return answer(413, 'Content Too Large', 'text/plain; charset=utf-8', 'The request body is over 12 MB.\n');
  }
  const id = event.context.requestId;
  if (headSize(request) > MAX_HEAD_BYTES) {
    return refuse(431, 'Request Header Fields Too Large', HEAD_ENVELOPE, id);
  }
  const wrong = KEYED_ROUTES.test(request.method + ' ' + request.uri) ? wrongKey(request.headers.authorization) : null;
  if (wrong) {
    const response = refuse(401, 'Unauthorized', wrong, id);
    response.headers['www-authenticate'] = { value: 'Bearer' };
    return response;
  }
  if (length && Number(length.value) <= MAX_LAMBDA_BYTES && UPLOAD_PATHS.includes(request.uri)) {
    cf.selectRequestOriginById('API_ORIGIN');
  }
  return request;
}

// wrongKey returns the response's body for an Authorization header without a key that the stage
// may know, as the functions respond to it; null for a header with one.
function wrongKey(header) {
  const sent = !header ? '' : (header.multiValue || [header]).map(function (h) { return h.value; }).join(', ').trim();
  const space = sent.indexOf(' ');
  const key = space < 0 ? '' : sent.slice(space).trim();
  if (key === '' || sent.slice(0, space).toLowerCase() !== 'bearer') {
    return NO_KEY_ENVELOPE;
  }
  const parts = /^rmk_([a-z]{2,12})_[0-9A-Za-z]{30}([0-9A-Za-z]{6})$/.exec(key);
  if (!parts || !ENVIRONMENTS.includes(parts[1]) || checksum(key.slice(0, -6)) !== parts[2]) {
    return WRONG_KEY_ENVELOPE;
  }
  return null;
}

// checksum returns the CRC-32 of ASCII text in six digits of base 62.
function checksum(text) {
  let crc = -1;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = ~crc >>> 0;
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = digits[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

// headSize returns approximately the size that API Gateway counts for the request line and headers.
function headSize(request) {
  let size = request.method.length + request.uri.length + ' ? HTTP/1.1'.length;
  const lists = [request.querystring, request.headers, request.cookies];
  for (let i = 0; i < lists.length; i++) {
    for (const name in lists[i]) {
      const values = lists[i][name].multiValue || [lists[i][name]];
      for (let j = 0; j < values.length; j++) {
        size += name.length + values[j].value.length + ': \r\n'.length;
      }
    }
  }
  return size;
}

// refuse returns a response with the contract's envelope.
function refuse(status, text, envelope, id) {
  envelope.error.request_id = id;
  const response = answer(status, text, 'application/json', JSON.stringify(envelope));
  response.headers['x-request-id'] = { value: id };
  return response;
}

function answer(status, text, type, body) {
  return {
    statusCode: status,
    statusDescription: text,
    headers: {
      'content-type': { value: type },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' }
    },
    body: body
  };
}
