/**
 * node::ObjectWrap as it was before Node 24.19, as far as better-sqlite3 uses it. Since then its destructor takes
 * a cleanup hook back from the current environment, and there is none while a garbage collection runs outside of
 * any context: the process aborts ("Assertion failed: (env) != nullptr"), at an idle moment or at its end. Compiled
 * in before Node's own header, whose guard it takes.
 */
#ifndef SRC_NODE_OBJECT_WRAP_H_
#define SRC_NODE_OBJECT_WRAP_H_

#include "node.h"

namespace node {

class ObjectWrap {
 public:
  ObjectWrap() = default;

  virtual ~ObjectWrap() {
    if (holder_.IsEmpty()) return;
    holder_.ClearWeak();
    holder_.Reset();
  }

  template <class Wrapped>
  static Wrapped* Unwrap(v8::Local<v8::Object> holder) {
    // To the base first: that is the pointer Wrap stored.
    auto* wrap = static_cast<ObjectWrap*>(holder->GetAlignedPointerFromInternalField(0));
    return static_cast<Wrapped*>(wrap);
  }

 protected:
  void Wrap(v8::Local<v8::Object> holder) {
    holder->SetAlignedPointerInInternalField(0, this);
    holder_.Reset(v8::Isolate::GetCurrent(), holder);
    holder_.SetWeak(this, Collected, v8::WeakCallbackType::kParameter);
  }

 private:
  static void Collected(const v8::WeakCallbackInfo<ObjectWrap>& info) {
    ObjectWrap* wrap = info.GetParameter();
    wrap->holder_.Reset();
    delete wrap;
  }

  v8::Persistent<v8::Object> holder_;
};

}  // namespace node

#endif
