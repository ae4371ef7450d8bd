// Tells API Gateway whether a request came through CloudFront: whether it has one of the origin
// secrets. It compares hashes, so that its duration tells nothing of a secret.
const { createHash, timingSafeEqual } = require('crypto');

const hash = (text) => createHash('sha256').update(text).digest();
const accepted = process.env.ORIGIN_SECRETS.split(',').map(hash);

exports.handler = async (event) => {
  const sent = hash(event.identitySource[0]);
  return { isAuthorized: accepted.filter((secret) => timingSafeEqual(secret, sent)).length > 0 };
};
