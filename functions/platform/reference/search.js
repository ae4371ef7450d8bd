(function () {
  'use strict';
  // Words that readers use for what the page calls otherwise, by the id of what they look for.
  var synonyms = {
    listChanges: 'webhook webhooks callback callbacks push notification notifications event events subscribe polling feed',
    'rate-limits': '429 rate limit limits throttle throttling throttled quota too many requests',
    authentication: '401 api key keys token bearer login oauth auth credentials',
    errors: '400 403 404 409 500 503 status codes problem problems exception',
    'item-errors': 'failed failure rejected',
    idempotency: 'retry retries duplicate duplicates double submit again safe',
    pagination: 'paging page pages next cursor offset',
    sandbox: 'test data test keys mock testing fake magic values',
    retention: 'gdpr delete deletion erasure privacy ttl expiry',
    versions: 'deprecation sunset breaking changes compatibility',
    submitCandidate: 'create candidate add candidate post candidate cv',
    uploadResume: 'cv file attachment document pdf',
    getBatch: 'poll result outcome state of a submission',
    offMarket: 'withdraw remove candidate deactivate pause exclude',
    reEnable: 'restore reactivate',
    listRoles: 'jobs positions vacancies openings',
    'quick-start': 'getting started tutorial example hello'
  };
  var kinds = { endpoint: 400, field: 300, code: 300, value: 290, section: 200, row: 170 };

  document.addEventListener('DOMContentLoaded', function () {
    var docs = document.documentElement.dataset.docs, box = document.getElementById('search'), results = document.getElementById('results');
    var index, vocabulary, loading, chosen = -1;
    function all(selector, inside) { return Array.prototype.slice.call(inside.querySelectorAll(selector)); }
    // simplify writes camelCase and snake_case as words, so that each part of a name begins one.
    function simplify(text) { return ' ' + text.replace(/([a-z0-9])([A-Z])/g, '$1 $2 $1$2').replace(/[_\-.\/…{}"`:,()]+/g, ' ').toLowerCase() + ' '; }

    // add indexes a finding; a field of a request and of its response is one result.
    function add(page, kind, id, label, where, text) {
      index.push({
        page: page, kind: kind, id: id, label: label, where: where, text: text, same: kind === 'field' ? id.split('-')[0] + ' ' + label : kind + id,
        names: simplify(label) + label.toLowerCase() + ' ',
        around: simplify(where) + simplify(id) + (where + ' ' + id).toLowerCase(), body: text.toLowerCase() + simplify(text),
        also: synonyms[id] ? ' ' + synonyms[id] + ' ' : ''
      });
    }
    function buildIndex(pages) {
      index = [];
      pages.forEach(function (part) {
        part.findings.forEach(function (found) { add.apply(null, [part.page === 'index' ? docs : docs + '/' + part.page].concat(found)); });
      });
      vocabulary = {};
      index.forEach(function (e) { (e.names + e.also + e.body).split(/[^a-z0-9_]+/).forEach(function (word) { vocabulary[word] = true; }); });
    }
    // loadIndex asks for the index once, when the search is first used, and then shows what is found.
    function loadIndex() {
      if (!loading) loading = fetch(docs + '/search.json').then(function (response) { return response.json(); }).then(function (pages) {
        buildIndex(pages);
        if (box.value) show();
      }, function () {
        loading = null;
        results.textContent = '';
        note('The search could not be loaded', 'option');
        setOpen(true);
      });
    }

    // distance counts the letters to add, drop, change or swap, at most 3 of them.
    function distance(a, b) {
      if (Math.abs(a.length - b.length) > 2) return 3;
      var before = [], last = [], row, i, j;
      for (j = 0; j <= b.length; j++) last[j] = j;
      for (i = 1; i <= a.length; i++) {
        row = [i];
        for (j = 1; j <= b.length; j++) {
          row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
          if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
      }
      return Math.min(last[b.length], 3);
    }
    // correct returns the word of the page that a misspelt word is nearest to; others as they are.
    function correct(word) {
      var allowed = word.length > 7 ? 2 : word.length > 3 ? 1 : 0, nearest = word;
      if (!allowed || index.some(function (e) { return placeOf(e, word) > 0; })) return word;
      Object.keys(vocabulary).forEach(function (known) {
        var d = distance(word, known);
        if (d <= allowed) { nearest = known; allowed = d - 1; }
      });
      return nearest;
    }

    // placeOf returns where an entry has a word: 4 begins a word of the name, 3 is within it, 2 in
    // what is around, 1 in the text, 0 nowhere.
    function placeOf(entry, word) {
      if (entry.names.indexOf(' ' + word) >= 0) return 4;
      if (entry.also.indexOf(' ' + word + ' ') >= 0 || entry.names.indexOf(word) >= 0) return 3;
      if (entry.around.indexOf(word) >= 0) return 2;
      return entry.body.indexOf(word) >= 0 ? 1 : 0;
    }
    // isPath reports whether a phrase is the end of an endpoint's path, with or without the method.
    function isPath(entry, phrase) {
      return entry.kind === 'endpoint' && phrase.indexOf('/') >= 0 && entry.where.toLowerCase().slice(-phrase.length) === phrase;
    }
    function rank(entry, words) {
      var phrase = words.join(' '), least = 4, sum = 0, name = entry.label.toLowerCase();
      for (var i = 0; i < words.length; i++) {
        var place = placeOf(entry, words[i]);
        if (!place) return 0;
        least = Math.min(least, place);
        sum += place * 10 + (name === words[i] ? 15 : 0);
      }
      var score = least === 4 ? kinds[entry.kind] : least === 3 ? 150 : least === 2 ? 100 : entry.kind === 'section' ? 30 : 20;
      if (name === phrase) score += entry.kind === 'section' ? 190 : 70;
      if (entry.also.indexOf(' ' + phrase + ' ') >= 0 || isPath(entry, phrase)) score = Math.max(score, 450);
      if (words.length > 1 && entry.body.indexOf(phrase) >= 0) score += 15;
      return score + sum / words.length + kinds[entry.kind] / 100 - Math.min(entry.label.length, 60) / 100;
    }
    function search(words) {
      var seen = {};
      return index.map(function (e, i) { return [rank(e, words), -i, e]; })
        .filter(function (hit) { return hit[0] > 0; })
        .sort(function (a, b) { return b[0] - a[0] || b[1] - a[1]; })
        .filter(function (hit) { return !seen[hit[2].same] && (seen[hit[2].same] = true); })
        .slice(0, 12).map(function (hit) { return hit[2]; });
    }
    // excerpt returns the text around the first word that only the text has.
    function excerpt(entry, words) {
      var at = Math.max.apply(null, words.map(function (word) { return placeOf(entry, word) < 2 ? entry.text.toLowerCase().indexOf(word) : -1; }));
      if (entry.kind === 'section' && at < 0) return '';
      var start = at < 50 ? 0 : entry.text.indexOf(' ', at - 40) + 1, text = entry.text.trim().slice(start, start + 110);
      return (start > 0 ? '…' : '') + text + (start + 110 < entry.text.length ? '…' : '');
    }
    function line(text) {
      var small = document.createElement('small');
      small.textContent = text;
      return small;
    }
    function note(text, role) {
      var p = document.createElement('p');
      p.setAttribute('role', role);
      p.setAttribute('aria-disabled', true);
      p.textContent = text;
      results.append(p);
    }
    function show() {
      if (!index) return loadIndex();
      var typed = box.value.toLowerCase().split(/[\s,;"'`]+/).filter(Boolean), words = typed.map(correct), found = words.length ? search(words) : [];
      results.textContent = '';
      found.forEach(function (entry, i) {
        var a = document.createElement('a'), more = [entry.where, excerpt(entry, words)].filter(Boolean).join(' · ');
        a.href = entry.page + '#' + entry.id;
        a.id = 'result-' + i;
        a.setAttribute('role', 'option');
        a.tabIndex = -1;
        a.textContent = entry.label;
        if (more) a.append(line(more));
        results.append(a);
      });
      if (words.length && !found.length) note('Nothing found', 'option');
      else if (words.join(' ') !== typed.join(' ')) note('Results for “' + words.join(' ') + '”', 'option');
      choose(found.length ? 0 : -1);
      setOpen(words.length > 0);
    }
    function setOpen(open) {
      results.hidden = !open;
      box.setAttribute('aria-expanded', open);
    }
    function choose(i) {
      chosen = i;
      all('a', results).forEach(function (a, n) { a.setAttribute('aria-selected', n === i); });
      if (i < 0) box.removeAttribute('aria-activedescendant'); else {
        box.setAttribute('aria-activedescendant', 'result-' + i);
        results.children[i].scrollIntoView({ block: 'nearest' });
      }
    }
    box.oninput = show;
    box.onfocus = function () { if (box.value || !index) show(); };
    box.onkeydown = function (event) {
      var n = all('a', results).length;
      if (event.key === 'Escape') { setOpen(false); box.blur(); }
      if (!n || results.hidden) return;
      if (event.key === 'ArrowDown') choose((chosen + 1) % n);
      else if (event.key === 'ArrowUp') choose((chosen + n - 1) % n);
      else if (event.key === 'Enter') results.children[chosen].click();
      else return;
      event.preventDefault();
    };
    results.addEventListener('click', function (event) {
      if (!event.target.closest('a')) return;
      setOpen(false);
      box.blur();
      setTimeout(function () { dispatchEvent(new Event('hashchange')); }); // the same target again is shown again
    });
    document.addEventListener('click', function (event) { if (!event.target.closest('.find')) setOpen(false); });
    document.addEventListener('keydown', function (event) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
      event.preventDefault();
      box.focus();
    });
  });
})();
